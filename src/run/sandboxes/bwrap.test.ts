import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { installationOf } from "../installation.ts";
import { groundIn, workbench } from "../process/fixtures/workbench.ts";
import { sandboxContract } from "../sandbox.contract.ts";
import { bwrap } from "./bwrap.ts";

await sandboxContract(bwrap());

const unavailable = await bwrap().unavailable();

describe.skipIf(unavailable !== null)(
  `an agent under bwrap${unavailable === null ? "" : ` (${unavailable})`}`,
  () => {
    const sandbox = bwrap();

    it("sees the same paths in every trial", async () => {
      const seen = await Promise.all(
        [1, 2].map(async () => {
          using bench = workbench();
          const ended = await bench.run("pwd; hostname; ls -d /sandbox/* /tmp; ls -a / | sort", { sandbox });
          return ended.lines;
        }),
      );
      expect(seen[0]).toEqual(seen[1]);
      expect(seen[0]?.slice(0, 5)).toEqual([
        "/sandbox/workspace",
        "sandbox",
        "/sandbox/home",
        "/sandbox/workspace",
        "/tmp",
      ]);
    });

    it("finds no instructions above its workspace", async () => {
      using bench = workbench();
      expect((await bench.run("ls -A /sandbox", { sandbox })).lines).toEqual(["home", "workspace"]);
    });

    it("cannot read the home of the person who runs it", async () => {
      const folder = mkdtempSync(join(homedir(), ".hostile-read-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      writeFileSync(join(folder, "id_rsa"), "secret\n");
      using bench = workbench();
      const ended = await bench.run(`cat "$1/id_rsa"; ls -A "$2"`, { sandbox, args: [folder, homedir()] });
      expect(ended.lines).toEqual([]);
      expect(ended.stderrTail).toContain("No such file");
    });

    it("cannot see another trial, this project or the way it was started", async () => {
      using bench = workbench();
      const other = join(bench.folder, "other");
      mkdirSync(other);
      writeFileSync(join(groundIn(other, "other").home, "answer"), "42\n");
      const args = [join(other, "home/answer"), import.meta.filename, bench.stdoutFile];
      const ended = await bench.run(`cat "$@"; ls /proc/1/root/home /proc/1/cwd/..`, { sandbox, args });
      expect(ended.lines.filter((line) => line.includes("42") || line.includes("hostile"))).toEqual([]);
      expect(ended.stderrTail.match(/No such file/g)?.length).toBeGreaterThanOrEqual(3);
    });

    it("is stopped by a symbolic link that leads out", async () => {
      const folder = mkdtempSync(join(homedir(), ".hostile-read-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      writeFileSync(join(folder, "id_rsa"), "secret\n");
      using bench = workbench();
      const ended = await bench.run(`ln -s "$1" out; cat out/id_rsa`, { sandbox, args: [folder] });
      expect(ended.lines).toEqual([]);
    });

    it.each(["/usr/made", "/etc/made", "/made", "/sandbox/made", "/opt/made", "/sys/made", "/var/made"])(
      "cannot write %s",
      async (path) => {
        using bench = workbench();
        const ended = await bench.run(`echo x > "$1" || echo refused`, { sandbox, args: [path] });
        expect(ended.lines).toEqual(["refused"]);
      },
    );

    it("can use the places where programs expect to write", async () => {
      using bench = workbench();
      const script =
        "for f in /tmp/f /var/tmp/f /dev/null /dev/shm/f ~/f ./f; do echo x > $f || echo $f; done";
      const env = { PATH: "/usr/bin:/bin", HOME: "/sandbox/home" };
      expect((await bench.run(script, { sandbox, command: { env } })).lines).toEqual([]);
    });

    it("cannot change the machine through /proc, even started by root", async () => {
      using bench = workbench();
      // Opening for append changes nothing by itself.
      const script =
        "for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger; do : >> $f && echo $f; done";
      expect((await bench.run(script, { sandbox })).lines).toEqual([]);
    });

    it("has no capabilities and cannot read what only root may", async () => {
      using bench = workbench();
      const ended = await bench.run("grep CapEff /proc/self/status; cat /etc/shadow /etc/gshadow", {
        sandbox,
      });
      expect(ended.lines).toEqual(["CapEff:\t0000000000000000"]);
    });

    it("cannot read what only root may read in /etc, wherever it lies there", async () => {
      using bench = workbench();
      const script =
        "find /etc ! -type l ! -perm -o=r -size +0 -exec head -c 1 {} + 2>/dev/null; ls -A /etc/ssl/private";
      expect((await bench.run(script, { sandbox })).lines).toEqual([]);
    });

    it("cannot uncover what is hidden from inside a namespace of its own", async () => {
      using bench = workbench();
      const script = `unshare -Urm sh -c 'umount /usr; umount -l /; mount -t proc proc /mnt; ls "$0"' "$1"`;
      const ended = await bench.run(script, { sandbox, args: [dirname(bench.folder)] });
      expect(ended.lines.join()).not.toContain("workbench-");
    });

    it("cannot signal or see our processes", async () => {
      using bench = workbench();
      const script = `kill -0 "$1" && echo signalled; ls /proc | grep -c '^[0-9]'`;
      const ended = await bench.run(script, { sandbox, args: [String(process.pid)] });
      expect(ended.lines).toHaveLength(1);
      expect(Number(ended.lines[0])).toBeLessThan(10);
    });

    it("reaches the loopback network", async () => {
      const { createServer } = await import("node:http");
      const server = createServer((_, response) => response.end("hello"));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
      const address = server.address();
      const port = typeof address === "object" ? String(address?.port) : "";
      using bench = workbench();
      const script = `exec 4<>/dev/tcp/127.0.0.1/$1; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&4; tail -n1 <&4`;
      expect((await bench.run(script, { sandbox, args: [port] })).lines).toEqual(["hello"]);
    });

    it("reads, but does not write, what it was given to read", async () => {
      using bench = workbench();
      const tool = join(bench.folder, "tool");
      mkdirSync(tool);
      writeFileSync(join(tool, "file"), "readable\n");
      const ground = { ...bench.ground, readable: [tool] };
      const ended = await bench.run(`cat "$1"; echo x > "$1"`, {
        sandbox,
        ground,
        args: [join(tool, "file")],
      });
      expect(ended.lines).toEqual(["readable"]);
      expect(ended.stderrTail).toContain("Read-only file system");
    });

    it("does not see a hidden folder inside a readable one, but what is readable inside that", async () => {
      using bench = workbench();
      const project = join(bench.folder, "project");
      const tool = join(project, "node_modules");
      for (const path of [project, tool, join(project, "evals")]) mkdirSync(path);
      for (const path of [join(project, "evals/answer"), join(tool, "agent")]) writeFileSync(path, "x\n");
      const hiding = bwrap({ hidden: [project] });
      const ground = { ...bench.ground, readable: [bench.folder, tool] };
      const ended = await bench.run(`ls "$1"; ls "$1/node_modules"`, {
        sandbox: hiding,
        ground,
        args: [project],
      });
      expect(ended.lines).toEqual(["node_modules", "agent"]);
    });

    it("sees of a hidden folder that holds its program that program alone", async () => {
      using bench = workbench();
      const project = join(bench.folder, "project");
      mkdirSync(project);
      for (const name of ["agent.sh", "SKILL.md"]) writeFileSync(join(project, name), "x\n");
      const ended = await bench.run(`ls -A "$1"; cat "$1/agent.sh"`, {
        sandbox: bwrap({ hidden: [project] }),
        ground: { ...bench.ground, readable: installationOf(join(project, "agent.sh")) },
        args: [project],
      });
      expect(ended.lines).toEqual(["agent.sh", "x"]);
    });
  },
);
