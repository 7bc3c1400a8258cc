"""Reading formats that others define, in a process of its own: a file that breaks its reader breaks nothing else.

`child` starts and watches that process and checks what comes from it; `worker` is what runs in it, with a module for
each kind of file. They speak in `frames`, which hold numbers and texts and nothing that could be carried out. A format
that is added is added to `worker.JOBS`, and so is read there.

The process has the rights of the person who opened the file. It is no sandbox against a reader that was taken over, but
a wall for memory, time and crashes.
"""
