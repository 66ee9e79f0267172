import assert from "node:assert/strict";
import { test } from "node:test";
import { environment, find, type Machine } from "../src/program";

/** A machine on which these programs are. */
function machine(platform: NodeJS.Platform, path: string, programs: string[], links: Record<string, string> = {}) {
  const looked: string[] = [];
  const machine: Machine = {
    platform,
    env: platform === "win32" ? { Path: path } : { PATH: path },
    home: platform === "win32" ? "C:\\Users\\ann" : "/home/ann",
    isProgram(file) {
      looked.push(file);
      return programs.includes(file);
    },
    real: (file) => links[file] ?? file,
  };
  return { machine, looked };
}

const LINUX = { setting: "", extension: "/ext", folders: ["/home/ann/repo"] };
const WINDOWS = { setting: "", extension: "C:\\ext", folders: ["D:\\repo"] };
const MISSING = /not installed/;

test("the setting comes before PATH, and PATH before what is beside the extension", () => {
  const all = ["/opt/kep-lint", "/usr/bin/kep-lint", "/ext/server/kep-lint", "/home/ann/bin/k"];
  const { machine: on } = machine("linux", "/usr/bin", all);
  assert.deepEqual(find({ ...LINUX, setting: "/opt/kep-lint" }, on), { program: "/opt/kep-lint" });
  assert.deepEqual(find({ ...LINUX, setting: " ~/bin/k " }, on), { program: "/home/ann/bin/k" });
  assert.deepEqual(find(LINUX, on), { program: "/usr/bin/kep-lint" });
  const { machine: bare } = machine("linux", "/usr/bin", ["/ext/server/kep-lint"]);
  assert.deepEqual(find(LINUX, bare), { program: "/ext/server/kep-lint" });
});

test("a setting that names no program is told, and nothing else is tried", () => {
  const { machine: on } = machine("linux", "/usr/bin", ["/usr/bin/kep-lint", "./evil", "evil", "/home/ann/repo/evil"]);
  for (const setting of ["./evil", "evil", "../x", "/nowhere", "~", "~root/x"]) {
    assert.match((find({ ...LINUX, setting }, on) as { problem: string }).problem, /kep-lint\.path/, setting);
  }
});

test("nothing is looked for in a folder that is open", () => {
  const path = ":.:node_modules/.bin:./bin:/home/ann/repo:/home/ann/repo/node_modules/.bin:/tmp/link:/tmp/bin:";
  const programs = ["/home/ann/repo/kep-lint", "/home/ann/repo/node_modules/.bin/kep-lint", "kep-lint"];
  const links = { "/tmp/link": "/home/ann/repo/bin", "/tmp/bin/kep-lint": "/home/ann/repo/kep-lint" };
  const { machine: on, looked } = machine(
    "linux",
    path,
    [...programs, "/tmp/bin/kep-lint", "/tmp/link/kep-lint"],
    links,
  );
  assert.match((find(LINUX, on) as { problem: string }).problem, MISSING);
  assert.deepEqual(looked, ["/tmp/bin/kep-lint", "/ext/server/kep-lint"]);
  // Also where the folder itself is a link, and where only its name begins alike.
  const { machine: linked } = machine("linux", "/real/bin:/home/ann/repo-2", ["/real/bin/kep-lint"], {
    "/home/ann/repo": "/real",
  });
  assert.match((find(LINUX, linked) as { problem: string }).problem, MISSING);
  const { machine: other } = machine("linux", "/home/ann/repo-2:/home/ann/..x", ["/home/ann/repo-2/kep-lint"]);
  assert.deepEqual(find(LINUX, other), { program: "/home/ann/repo-2/kep-lint" });
  assert.deepEqual(environment(["/home/ann/repo"], on), { PATH: "/tmp/bin" });
  assert.deepEqual(environment(["/home/ann/repo", "/tmp/bin"], on), { PATH: "/usr/bin:/bin" });
});

test("on Windows, neither the working directory nor the drive decides, and no script is started", () => {
  const path = '.;;C:bin;\\bin;d:\\REPO\\tools;"C:\\Program Files\\kep;lint"';
  const names = ["kep-lint.exe", "kep-lint.cmd", "kep-lint.bat", "kep-lint"];
  const places = ["", ".\\", "D:\\repo\\", "d:\\REPO\\tools\\", "\\bin\\", "C:bin\\"];
  const programs = places.flatMap((place) => names.map((name) => place + name));
  const { machine: on, looked } = machine("win32", `${path};C:\\tools`, [...programs, "C:\\tools\\kep-lint.cmd"]);
  assert.match((find(WINDOWS, on) as { problem: string }).problem, MISSING);
  assert.ok(looked.length >= 2 && looked.every((file) => /^C:\\.*\\kep-lint\.exe$/.test(file)), looked.join(" "));
  const { machine: good } = machine("win32", '"C:\\a b";C:\\tools', ["C:\\a b\\kep-lint.exe"]);
  assert.deepEqual(find(WINDOWS, good), { program: "C:\\a b\\kep-lint.exe" });
  assert.deepEqual(environment(["D:\\repo"], good), { Path: "C:\\a b;C:\\tools" });
  for (const setting of [".\\evil.exe", "\\evil.exe", "C:evil.exe", "evil"]) {
    assert.match((find({ ...WINDOWS, setting }, good) as { problem: string }).problem, /absolute/, setting);
  }
});
