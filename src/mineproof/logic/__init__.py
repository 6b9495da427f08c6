"""Certainty: methods that find certain cells in a `Position`, with their reasons. They never see a layout."""
