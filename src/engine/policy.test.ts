import { describe, expect, it } from "vitest";
import { filesInside, inside, lowers, lowersEach, never, raises, sets, strengthens } from "./policy.ts";

const root = "/srv/project";
const ONLY_YOU = { why: "which only you may decide" };
const LEADS_OUT = { why: "which points outside the project" };

describe("a setting of a project that was merely found", () => {
  it("comes before the user's where it can do no harm", () => {
    expect(sets<number>().held({ project: 3, own: 5, root })).toEqual({ value: 3 });
  });

  it.each([
    [2, null, 2],
    [2, 5, 2],
    [9, 5, 5],
    [0, 0, 0],
  ])("lowers a limit to %s where the user's is %s: %s", (project, own, value) => {
    expect(lowers.held({ project, own, root })).toEqual({ value });
  });

  it.each([
    ["memory=1GB,files=7", null, "memory=1GB,processes=2048,disk=10GB,output=256MB,files=7"],
    ["memory=900GB", "memory=20GB", "memory=20GB,processes=2048,disk=10GB,output=256MB,files=65536"],
    ["memory=1GB", "memory=20GB", "memory=1GB,processes=2048,disk=10GB,output=256MB,files=65536"],
    // What cannot be read is refused where it is used.
    ["memory=much", null, "memory=much"],
  ])("lowers the limits of trials: %s, with %s of the user's", (project, own, value) => {
    expect(lowersEach.held({ project, own, root })).toEqual({ value });
  });

  it.each(["memory=900GB", "memory=1GB,disk=none", "files=1000000"])(
    "raises no limit of ours: %s",
    (project) => {
      expect(lowersEach.held({ project, own: null, root })).toEqual({
        why: "which allows more than the default; only you may raise limits",
      });
    },
  );

  it.each([
    [0.9, null, 0.9],
    [0.9, 0.5, 0.9],
    [0.1, 0.5, 0.5],
  ])("raises a bar to %s where the user's is %s: %s", (project, own, value) => {
    expect(raises.held({ project, own, root })).toEqual({ value });
  });

  it.each([
    ["bwrap", null, { value: "bwrap" }],
    ["auto", null, { value: "auto" }],
    ["none", null, ONLY_YOU],
    ["none", "bwrap", { value: "bwrap" }],
    ["none", "none", { value: "none" }],
    ["bwrap", "none", { value: "bwrap" }],
    // What nobody knows is refused where it is used, with the names there are.
    ["chroot", "bwrap", { value: "chroot" }],
  ])("strengthens a guard: %s, with %s of the user's", (project, own, held) => {
    const rule = strengthens<string>(["none", "auto", "bwrap"], "auto");
    expect(rule.held({ project, own, root })).toEqual(held);
  });

  it.each([
    ["/srv/project/results", null, { value: "/srv/project/results" }],
    ["/srv/project", null, { value: "/srv/project" }],
    ["/srv/elsewhere", null, LEADS_OUT],
    ["/srv/project-2", null, LEADS_OUT],
    ["/srv/project/.git", null, LEADS_OUT],
    ["/srv/project/.git/hooks", null, LEADS_OUT],
    ["/srv/project/.github", null, { value: "/srv/project/.github" }],
    ["/srv/elsewhere", "/home/ada/results", { value: "/home/ada/results" }],
  ])("names the place %s, with %s of the user's", (project, own, held) => {
    expect(inside.held({ project, own, root })).toEqual(held);
  });

  it.each([
    [["terminal", "json=/srv/project/out.json"], true],
    [["json=/srv/project/out.json", "junit=/tmp/out.xml"], false],
    [["json=/srv/project/.git/hooks/pre-commit"], false],
    [["json=/srv/project/a=b.json"], true],
  ])("writes reports %j: %s", (project, isFine) => {
    expect(filesInside.held({ project, own: null, root })).toEqual(isFine ? { value: project } : LEADS_OUT);
  });

  it("never decides what runs programs", () => {
    expect(never<string>().held({ project: "./agent.sh", own: null, root })).toEqual(ONLY_YOU);
    expect(never<string>().held({ project: "./agent.sh", own: "mine", root })).toEqual({ value: "mine" });
  });
});
