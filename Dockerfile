# Two images: `docker build --target web .` serves the web app, `docker build --target worker .` is for arena clusters.
# docs/release.md says how they are run.

FROM python:3.11-slim-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends g++ \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY constraints.txt ./
RUN python -m venv /opt/build && /opt/build/bin/pip install --no-cache-dir -c constraints.txt build setuptools Cython
COPY . .
RUN /opt/build/bin/python -m build --wheel --no-isolation --outdir /wheel

FROM python:3.11-slim-bookworm AS base
ENV PYTHONUNBUFFERED=1 PATH=/opt/mineproof/bin:$PATH
RUN python -m venv /opt/mineproof \
    && useradd --uid 1000 --create-home mineproof \
    && install --directory --owner mineproof /data
COPY constraints.txt /tmp/constraints.txt

FROM base AS web
RUN --mount=type=bind,from=build,source=/wheel,target=/wheel \
    pip install --no-cache-dir -c /tmp/constraints.txt "$(echo /wheel/*.whl)[postgres,logic,replays]"
USER 1000
VOLUME /data
EXPOSE 8300
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8300/api/health', timeout=4)"]
CMD ["mineproof", "web", "--host", "0.0.0.0", "--no-browser", "--database", "sqlite:////data/games.db"]

FROM base AS worker
RUN --mount=type=bind,from=build,source=/wheel,target=/wheel \
    pip install --no-cache-dir -c /tmp/constraints.txt "$(echo /wheel/*.whl)[cluster,logic]"
USER 1000
WORKDIR /data
CMD ["dask", "worker", "tcp://scheduler:8786", "--nworkers", "auto", "--nthreads", "1"]
