// What the problem matchers of VS Code's tasks find, for .ci/editors: editors.js TASKS FILE runs both tasks, the second
// one while FILE changes; editors.js --lines TASKS FILE asserts that each line of FILE matches.
const assert = require("node:assert");
const fs = require("node:fs");
const { spawn } = require("node:child_process");

const isLines = process.argv[2] === "--lines";
const [tasksFile, file] = process.argv.slice(isLines ? 3 : 2);
const { tasks } = JSON.parse(fs.readFileSync(tasksFile, "utf8"));
const letters = { error: "E", warning: "W", suggestion: "I" };

// The finding in a line of output, by the captures that the pattern names.
function found(matcher, line) {
  const { regexp, file, line: row, column, severity, code } = matcher.pattern;
  const match = new RegExp(regexp).exec(line);
  return match && `${match[file]}:${match[row]}:${match[column]} ${letters[match[severity]]} ${match[code]}`;
}

// Starts a task in a terminal, as VS Code does, and calls `take` with each line.
function start(task, take) {
  const quoted = [task.command, ...task.args].map((word) => `'${word}'`).join(" ");
  const env = { ...process.env, TERM: "xterm-256color", COLORTERM: "truecolor", ...task.options.env };
  const child = spawn("script", ["-qfec", quoted, "/dev/null"], { env, stdio: ["ignore", "pipe", "inherit"] });
  let rest = "";
  child.stdout.on("data", (data) => {
    const lines = (rest + data).split(/\r?\n/);
    rest = lines.pop();
    lines.forEach(take);
  });
  return child;
}

function once(task) {
  const findings = [];
  return new Promise((resolve) => {
    start(task, (line) => findings.push(found(task.problemMatcher, line))).on("close", () => resolve(findings));
  });
}

// The findings of three checks, by the lines that begin and end each.
function watched(task, change) {
  const { beginsPattern, endsPattern } = task.problemMatcher.background;
  const [begins, ends] = [new RegExp(beginsPattern), new RegExp(endsPattern)];
  const checks = [];
  let isRunning = false;
  return new Promise((resolve) => {
    const child = start(task, (line) => {
      assert(!line.includes("\u001b"), `control characters: ${JSON.stringify(line)}`);
      if (begins.test(line)) {
        assert(!isRunning, "a check begins twice");
        isRunning = true;
        checks.push([]);
      } else if (ends.test(line)) {
        assert(isRunning, "a check ends twice");
        isRunning = false;
        if (checks.length === 3) {
          child.kill();
          resolve(checks);
        } else {
          change(checks.length);
        }
      } else if (found(task.problemMatcher, line)) {
        assert(isRunning, `outside of a check: ${line}`);
        checks.at(-1).push(found(task.problemMatcher, line));
      }
    });
  });
}

async function main() {
  if (isLines) {
    const lines = fs.readFileSync(file, "utf8").trimEnd().split("\n");
    const other = lines.filter((line) => !tasks.every((task) => found(task.problemMatcher, line)));
    assert.deepStrictEqual(other, []);
    console.log(`the matcher for VS Code matches all ${lines.length} lines of the corpus`);
    return;
  }
  const findings = await once(tasks[0]);
  assert(findings.every(Boolean), "a line that is no finding");
  console.log(findings.join("\n"));
  const text = fs.readFileSync(file, "utf8");
  const change = (count) => fs.writeFileSync(file, count === 1 ? text.replace("KEP-77", "KEP-7") : text);
  const [first, second, third] = await watched(tasks[1], change);
  assert.deepStrictEqual(first.sort(), findings.sort());
  assert(second.includes(`${file}:1:7 E bad-title`), second.join("\n"));
  assert.deepStrictEqual(third.sort(), findings);
}

main();
