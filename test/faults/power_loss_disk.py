"""A disk that loses its power: a FUSE file system that keeps what was synced apart from what was only written.

The model is stricter than ext4:
- Bytes of a file, its length included, are durable after fsync or fdatasync of that file.
- A name (create, link, rename, unlink, mkdir, rmdir) is durable after fsync of its folder, and only then: fsync of a new file
  does not make its name durable, and a folder's fsync nothing outside this folder.
After the cut, each operation fails with EIO, and the surviving files are written to a folder:
- "lost": only what is durable;
- "mixed": also, at random, sectors of 512 bytes of unsynced writes, and the first of the unsynced names of each folder.

Usage: power_loss_disk.py CONTENT MOUNTPOINT. CONTENT is a folder with the files that are there at the start, all durable.
Prints "mounted", then obeys lines on stdin: "cut AFTER lost|mixed SEED FOLDER" cuts the power after AFTER more changes or
syncs, writes the survivors to FOLDER, and prints "cut".
"""

import errno
import os
import random
import stat
import sys
import threading
import time

from fusepy import FUSE, FuseOSError, Operations

SECTOR = 512


class Node:
    """A file, folder, or symbolic link, with all that is known of it and with what is durable."""

    def __init__(self, mode):
        self.mode = mode
        self.uid = self.gid = 0
        self.times = (time.time_ns(), time.time_ns())
        # Names of a folder, or bytes of a file. `pending` holds the changes since the last sync, in order.
        self.names = {}
        self.durable_names = {}
        self.data = bytearray()
        self.durable_data = bytearray()
        self.pending = []

    def is_folder(self):
        return stat.S_ISDIR(self.mode)

    def sync(self):
        if self.is_folder():
            self.durable_names = {name: node for name, node in self.names.items() if not is_hidden(name)}
        else:
            for change in self.pending:
                apply_change(self.durable_data, change)
        self.pending = []

    def change_names(self, changes):
        """`changes`: name to node, or to None where the name is removed. All or none of them survive."""
        apply_names(self.names, changes)
        self.pending.append({name: node for name, node in changes.items() if not is_hidden(name)})

    def change_data(self, change):
        apply_change(self.data, change)
        self.pending.append(change)


def is_hidden(name):
    """libfuse gives an open file that is deleted such a name; on a disk it has none."""
    return name.startswith(".fuse_hidden")


def apply_names(names, changes):
    for name, node in changes.items():
        if node is None:
            names.pop(name, None)
        else:
            names[name] = node


def apply_change(data, change):
    offset, written = change
    if written is None:
        # Truncated, or extended by zeros, to `offset` bytes.
        del data[offset:]
        data.extend(bytes(offset - len(data)))
    else:
        data.extend(bytes(max(0, offset - len(data))))
        data[offset : offset + len(written)] = written


def load(path):
    info = os.lstat(path)
    node = Node(info.st_mode)
    if stat.S_ISLNK(info.st_mode):
        node.data = bytearray(os.readlink(path).encode())
        node.durable_data = bytearray(node.data)
    elif node.is_folder():
        node.names = {name: load(os.path.join(path, name)) for name in os.listdir(path)}
        node.durable_names = dict(node.names)
    else:
        with open(path, "rb") as file:
            node.data = bytearray(file.read())
        node.durable_data = bytearray(node.data)
    return node


class PowerLossDisk(Operations):
    use_ns = True
    # A file that was deleted while it is open has no path, only its handle.
    flag_nullpath_ok = True

    def __init__(self, root):
        self.root = root
        self.mutex = threading.RLock()
        self.handles = {}
        self.next_handle = 1
        self.is_cut = False
        self.left = None
        self.plan = None

    # Each operation is atomic, and counted if it changes or syncs something.

    def __call__(self, operation, *arguments):
        with self.mutex:
            if operation in ("init", "destroy"):
                return 0
            if self.is_cut:
                raise FuseOSError(errno.EIO)
            if operation in COUNTED and self.left is not None:
                if self.left == 0:
                    self.cut()
                    raise FuseOSError(errno.EIO)
                self.left -= 1
            if not hasattr(self, operation):
                raise FuseOSError(errno.EFAULT)
            return getattr(self, operation)(*arguments)

    def arm(self, after, plan):
        with self.mutex:
            self.plan = plan
            self.left = after
            if after == 0:
                self.cut()

    def cut(self):
        self.is_cut = True
        mode, seed, folder = self.plan
        chance = random.Random(seed) if mode == "mixed" else None
        Survivors(chance).write(self.root, folder)
        print("cut", flush=True)

    def find(self, path):
        node = self.root
        for name in path.split("/"):
            if name == "":
                continue
            if not node.is_folder():
                raise FuseOSError(errno.ENOTDIR)
            node = node.names.get(name)
            if node is None:
                raise FuseOSError(errno.ENOENT)
        return node

    def parent(self, path):
        folder, name = path.rsplit("/", 1)
        return self.find(folder), name

    def node(self, path, handle):
        # `handle` also finds a file without a name.
        return self.handles[handle] if handle is not None and handle in self.handles else self.find(path)

    def add(self, path, node):
        folder, name = self.parent(path)
        if name in folder.names:
            raise FuseOSError(errno.EEXIST)
        folder.change_names({name: node})
        return node

    def hold(self, node):
        handle = self.next_handle
        self.next_handle += 1
        self.handles[handle] = node
        return handle

    def getattr(self, path, fh=None):
        node = self.node(path, fh)
        size = 0 if node.is_folder() else len(node.data)
        return {
            "st_mode": node.mode,
            "st_nlink": 1,
            "st_size": size,
            "st_blocks": (size + SECTOR - 1) // SECTOR,
            "st_uid": node.uid,
            "st_gid": node.gid,
            "st_atime": node.times[0],
            "st_mtime": node.times[1],
            "st_ctime": node.times[1],
        }

    def statfs(self, path):
        blocks = 1 << 22
        return {"f_bsize": 4096, "f_frsize": 4096, "f_blocks": blocks, "f_bfree": blocks, "f_bavail": blocks,
                "f_files": blocks, "f_ffree": blocks, "f_namemax": 255}

    def readdir(self, path, fh):
        return [".", "..", *filter(lambda name: not is_hidden(name), self.node(path, fh).names)]

    def opendir(self, path):
        return self.hold(self.find(path))

    def open(self, path, flags):
        return self.hold(self.find(path))

    def create(self, path, mode, fi=None):
        return self.hold(self.add(path, Node(stat.S_IFREG | mode)))

    def release(self, path, fh):
        del self.handles[fh]
        return 0

    releasedir = release

    def read(self, path, size, offset, fh):
        return bytes(self.node(path, fh).data[offset : offset + size])

    def readlink(self, path):
        return self.find(path).data.decode()

    def write(self, path, data, offset, fh):
        node = self.node(path, fh)
        node.change_data((offset, bytes(data)))
        node.times = (node.times[0], time.time_ns())
        return len(data)

    def truncate(self, path, length, fh=None):
        node = self.node(path, fh)
        node.change_data((length, None))
        node.times = (node.times[0], time.time_ns())

    def fsync(self, path, datasync, fh):
        self.node(path, fh).sync()
        return 0

    fsyncdir = fsync

    def flush(self, path, fh):
        return 0

    def mkdir(self, path, mode):
        self.add(path, Node(stat.S_IFDIR | mode))

    def symlink(self, target, source):
        node = Node(stat.S_IFLNK | 0o777)
        node.data = bytearray(source.encode())
        node.durable_data = bytearray(node.data)
        self.add(target, node)

    def link(self, target, source):
        self.add(target, self.find(source))

    def unlink(self, path):
        folder, name = self.parent(path)
        folder.change_names({name: None})

    def rmdir(self, path):
        if any(not is_hidden(name) for name in self.find(path).names):
            raise FuseOSError(errno.ENOTEMPTY)
        self.unlink(path)

    def rename(self, old, new):
        node = self.find(old)
        source, old_name = self.parent(old)
        target, new_name = self.parent(new)
        if source is target:
            source.change_names({old_name: None, new_name: node})
        else:
            target.change_names({new_name: node})
            source.change_names({old_name: None})

    def chmod(self, path, mode):
        node = self.find(path)
        node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(mode)
        return 0

    def chown(self, path, uid, gid):
        node = self.find(path)
        node.uid, node.gid = uid, gid

    def utimens(self, path, times=None):
        self.find(path).times = times or (time.time_ns(), time.time_ns())


COUNTED = {"create", "write", "truncate", "fsync", "fsyncdir", "mkdir", "symlink", "link", "unlink", "rmdir", "rename"}


class Survivors:
    """Writes what is left of a disk into a plain folder. Without `chance`, nothing that was not synced survives."""

    def __init__(self, chance):
        self.chance = chance
        self.written = {}

    def write(self, folder, path):
        names = dict(folder.durable_names)
        kept = self.chance.randint(0, len(folder.pending)) if self.chance else 0
        for changes in folder.pending[:kept]:
            apply_names(names, changes)
        for name, node in names.items():
            place = os.path.join(path, name)
            if node in self.written:
                os.link(self.written[node], place)
                continue
            self.written[node] = place
            if stat.S_ISLNK(node.mode):
                os.symlink(node.durable_data.decode(), place)
                continue
            if node.is_folder():
                os.mkdir(place)
                self.write(node, place)
            else:
                with open(place, "wb") as file:
                    file.write(self.surviving_bytes(node))
            os.chmod(place, stat.S_IMODE(node.mode))

    def surviving_bytes(self, node):
        data = bytearray(node.durable_data)
        for offset, written in node.pending:
            if written is None:
                if self.chance and self.chance.random() < 0.5:
                    apply_change(data, (offset, None))
                continue
            at = offset
            while at < offset + len(written):
                end = min(offset + len(written), (at // SECTOR + 1) * SECTOR)
                if self.chance and self.chance.random() < 0.5:
                    apply_change(data, (at, written[at - offset : end - offset]))
                at = end
        return data


def obey(disk):
    for line in sys.stdin:
        _, after, mode, seed, folder = line.split()
        disk.arm(int(after), (mode, int(seed), folder))


def main():
    content, mountpoint = sys.argv[1:]
    disk = PowerLossDisk(load(content))
    threading.Thread(target=obey, args=(disk,), daemon=True).start()

    def tell():
        while not os.path.ismount(mountpoint):
            time.sleep(0.005)
        print("mounted", flush=True)

    threading.Thread(target=tell, daemon=True).start()
    # As a disk of one computer: only its kernel changes it, so it may cache names and attributes.
    FUSE(disk, mountpoint, foreground=True, nothreads=True, big_writes=True, fsname="rainbell-test",
         attr_timeout=3600, entry_timeout=3600, use_ino=False)


main()
