"""What a file that means no good would make of its reader: all the memory there is."""

import sys

from pcl_app.limited_reading import limit

if __name__ == "__main__":
    sys.stdin.read()
    limit(int(sys.argv[1]), int(sys.argv[2]))
    kept = []
    while True:
        kept.append(bytearray(10_000_000))
