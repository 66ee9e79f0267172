// Where the program is. It is never looked for in a folder that is open, nor in the working directory: what a repository
// brings along is not started.

import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

/** What is known of the machine. */
export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
  /** Whether there is a program at a path. */
  isProgram(file: string): boolean;
  /** The path without links. */
  real(file: string): string;
}

/** Where to look. */
export interface Places {
  /** The setting of the user or the machine. */
  setting: string;
  /** The directory of this extension. */
  extension: string;
  /** The folders that are open. */
  folders: string[];
}

/** The program, or why there is none. */
export type Found = { program: string } | { problem: string };

/** This machine. */
export const machine: Machine = {
  platform: process.platform,
  env: process.env,
  home: os.homedir(),
  isProgram(file) {
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return fs.statSync(file).isFile();
    } catch {
      return false;
    }
  },
  real(file) {
    try {
      return fs.realpathSync.native(file);
    } catch {
      return file;
    }
  },
};

/** Looks for the program: in the setting, in PATH, beside the extension. */
export function find(places: Places, on: Machine = machine): Found {
  const setting = places.setting.trim();
  if (setting !== "") {
    return named(setting, on);
  }
  const { join } = paths(on);
  // On Windows, scripts would need a shell.
  const name = on.platform === "win32" ? "kep-lint.exe" : "kep-lint";
  const inPath = directories(places.folders, on).map((directory) => join(directory, name));
  for (const program of [...inPath, join(places.extension, "server", name)]) {
    // A link in PATH may also lead into a folder.
    if (on.isProgram(program) && !isInside(program, places.folders, on)) {
      return { program };
    }
  }
  return { problem: "the program kep-lint is not installed: it is neither in PATH nor beside the extension" };
}

/** What the environment of the program is other than that of this process: PATH has no directory of a folder that is open. */
export function environment(folders: string[], on: Machine = machine): Record<string, string> {
  const key = pathKey(on);
  if (key === undefined) {
    return {};
  }
  const kept = directories(folders, on).join(paths(on).delimiter);
  // An empty PATH means the working directory.
  return { [key]: kept === "" && on.platform !== "win32" ? "/usr/bin:/bin" : kept };
}

/** The program of the setting, where only the user can have named one. */
function named(setting: string, on: Machine): Found {
  const program = /^~[/\\]/.test(setting) ? paths(on).join(on.home, setting.slice(2)) : setting;
  if (!isAbsolute(program, on)) {
    return { problem: `the setting kep-lint.path is not an absolute path: ${setting}` };
  }
  if (!on.isProgram(program)) {
    return { problem: `the setting kep-lint.path names no program: ${setting}` };
  }
  return { program };
}

/** The directories of PATH, without those in the folders, and those that depend on the working directory. */
function directories(folders: string[], on: Machine): string[] {
  const key = pathKey(on);
  const entries = (key && on.env[key])?.split(paths(on).delimiter) ?? [];
  const plain = on.platform === "win32" ? entries.map((entry) => entry.replace(/^"(.*)"$/, "$1")) : entries;
  return plain.filter((entry) => isAbsolute(entry, on) && !isInside(entry, folders, on));
}

/** What PATH is called: Windows does not care about the case. */
function pathKey(on: Machine): string | undefined {
  return Object.keys(on.env).find((key) => (on.platform === "win32" ? key.toUpperCase() : key) === "PATH");
}

function isInside(file: string, folders: string[], on: Machine): boolean {
  const { relative, isAbsolute, sep } = paths(on);
  return [file, on.real(file)].some((file) =>
    folders
      .flatMap((folder) => [folder, on.real(folder)])
      .some((folder) => {
        const way = relative(folder, file);
        return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
      }),
  );
}

/** On Windows, `\x` depends on the current drive. */
function isAbsolute(file: string, on: Machine): boolean {
  return on.platform === "win32" ? /^([a-z]:[\\/]|\\\\)/i.test(file) : path.posix.isAbsolute(file);
}

function paths(on: Machine): path.PlatformPath {
  return on.platform === "win32" ? path.win32 : path.posix;
}
