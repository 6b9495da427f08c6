"""How compiled code keeps a `Clock`: it looks at the time, and now and then takes the GIL for signals and for whoever
cancels.

Signal handlers run Python, and Python may call compiled code again. So whatever is at work is *busy*, and refuses to be
used again before it is done.
"""

from cpython.exc cimport PyErr_CheckSignals


cdef extern from *:
    """
    #include <chrono>
    static inline double steady_seconds() {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
    """
    double steady_seconds() noexcept nogil


cdef double LOOK_SECONDS = 0.02  # between two times that the GIL is taken
cdef size_t BYTES_A_CELL = 100
cdef size_t LEAST_COUNTED = 1 << 22
SMALL_CHANGE = LEAST_COUNTED  # bytes that are not counted against a limit of memory


cdef double seconds_now() noexcept nogil:
    return steady_seconds()


cdef cbool ask(void* context) noexcept nogil:
    return (<NativeClock> context).go_on()


cpdef size_t bytes_of_board(size_t cells):
    """The memory of a board that is counted, and of its analysis, whatever it shows; nothing for small ones."""
    cdef size_t found = BYTES_A_CELL * cells
    return found if found > LEAST_COUNTED else 0


cdef size_t room_in(object limit, size_t cells) except? 0:
    """The bytes that a limit leaves for tables beside a board of this size."""
    cdef size_t whole = limit.memory, board = bytes_of_board(cells)
    return whole - board if whole > board else 0


cdef class NativeClock:
    """The clock of some work, and whether the work is under way."""

    cdef int hook(self, NativeLimit* limit) except -1:
        """This limit asks here."""
        limit.go_on = ask
        limit.context = <void*> self
        return 0

    cdef int begin(self, clock) except -1:
        """From now on it is this clock that counts; None: there is no limit, but signals are heard."""
        cdef double now = seconds_now()
        self.clock = clock
        self.interruption = None
        self.controlled = clock is not None and clock.controlled
        self.seconds = 1e300 if clock is None else clock.left
        self.ends = now + self.seconds
        self.next_look = now + LOOK_SECONDS
        return 0

    cdef int enter(self, clock) except -1:
        """Work begins."""
        if self.busy:
            raise RuntimeError("this is already at work: it cannot be used again before it is done")
        self.busy = True
        try:
            self.begin(clock)
        except BaseException:
            self.busy = False
            raise
        return 0

    cdef int leave(self) except -1:
        """Work is over; an exception that a signal handler raised in the meantime is raised here."""
        self.busy = False
        self.clock = None
        interruption, self.interruption = self.interruption, None
        if interruption is not None:
            raise interruption
        return 0

    cdef int again(self) except -1 nogil:
        """The same time again, for the next piece of the work."""
        self.ends = seconds_now() + self.seconds
        if self.controlled:
            with gil:
                self.clock = self.clock.limit.start()
        return 0

    cdef cbool go_on(self) noexcept nogil:
        cdef double now = seconds_now()
        if not self.controlled:
            if now >= self.ends:
                return False
            if now < self.next_look:
                return True
            self.next_look = now + LOOK_SECONDS
        with gil:
            return self.look()

    cdef cbool look(self) noexcept:
        if self.interruption is not None:
            return False
        try:
            PyErr_CheckSignals()
            if self.clock is None:
                return True
            cancel = self.clock.limit.cancel
            if cancel is not None and cancel.is_set():
                return False
            return not self.controlled or self.clock.left > 0
        except BaseException as interruption:  # handed on by leave()
            self.interruption = interruption
            return False
