import { expect, it } from "vitest";
import { trespassText } from "../../report/text.ts";
import { refusalsIn } from "./refusals.ts";

const told = (text: string) =>
  refusalsIn(text, (path) => path.startsWith("/sandbox/workspace")).map(trespassText);

it.each([
  ["cat: /etc/shadow: Permission denied", "tried to open /etc/shadow: permission denied"],
  ["touch: cannot touch '/usr/x': Read-only file system", "tried to change /usr/x: read-only"],
  ["sh: 1: cannot create /etc/x: Read-only file system", "tried to change /etc/x: read-only"],
  ["Error: EROFS: read-only file system, open '/usr/x'", "tried to change /usr/x: read-only"],
  ["PermissionError: [Errno 13] Permission denied: '/etc/x'", "tried to open /etc/x: permission denied"],
  [
    "cat: /sandbox/home/.ssh/id_rsa: No such file or directory",
    "tried to read /sandbox/home/.ssh/id_rsa: not there",
  ],
  ["ENOENT: no such file or directory, open '/root/.aws/credentials'", null],
  ["curl: (6) Could not resolve host: evil.test", "tried to connect to evil.test: not reached"],
  ["Error: connect ECONNREFUSED \0session-bus", "tried to connect to session-bus: not reached"],
  ["mknod: disk: Operation not permitted", "tried to make a device: not permitted"],
  ["mount: /usr: must be superuser to use mount.", "tried to mount over /usr: not permitted"],
  ["cat: /sandbox/workspace/notes: Permission denied", null],
  ["cat: notes.txt: No such file or directory", null],
  ["ls: cannot access '/sandbox/x': No such file or directory", null],
  ["sh: 1: cannot create /dev/null: Permission denied", null],
])("%s", (text, expected) => {
  expect(told(text)).toEqual(expected === null ? [] : [expected]);
});
