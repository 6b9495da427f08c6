"""The compiled room: hot loops of the rooms above it. No policy, no input or output, no import of Python rooms.

Callers validate; code here trusts its arguments. Cells are row-major indices, boards have one byte per cell.
"""
