// Forms: questions one after the other, with a way back.

import * as vscode from "vscode";

/** A question with a free answer. */
export interface Line {
  prompt: string;
  placeholder: string;
  /** What is wrong with an answer, if anything. */
  wrong(answer: string): string | undefined | Promise<string | undefined>;
}

/** A question with given answers. */
export interface Choice {
  prompt: string;
  items: vscode.QuickPickItem[];
}

export type Question = Line | Choice;

const BACK = Symbol("back");

/** Asks all questions; nothing if the user leaves. An answer to a choice is the label. */
export async function ask(title: string, questions: Question[]): Promise<string[] | undefined> {
  const answers: string[] = [];
  let step = 0;
  while (step < questions.length) {
    const question = questions[step] as Question;
    const place = { title, step: step + 1, totalSteps: questions.length, old: answers[step] };
    const answer = "items" in question ? await choose(question, place) : await write(question, place);
    if (answer === undefined) {
      return undefined;
    }
    if (answer === BACK) {
      step--;
    } else {
      answers[step] = answer;
      step++;
    }
  }
  return answers;
}

interface Place {
  title: string;
  step: number;
  totalSteps: number;
  /** What was answered before the way back. */
  old: string | undefined;
}

type Answer = string | typeof BACK | undefined;

async function choose(question: Choice, place: Place): Promise<Answer> {
  const pick = vscode.window.createQuickPick();
  pick.placeholder = question.prompt;
  pick.items = question.items;
  pick.matchOnDescription = true;
  pick.activeItems = question.items.filter((item) => item.label === place.old);
  return await shown(pick, place, (done) => {
    pick.onDidAccept(() => {
      const label = pick.selectedItems[0]?.label;
      if (label !== undefined) {
        done(label);
      }
    });
  });
}

async function write(question: Line, place: Place): Promise<Answer> {
  const box = vscode.window.createInputBox();
  box.prompt = question.prompt;
  box.placeholder = question.placeholder;
  box.value = place.old ?? "";
  const check = async () => {
    const value = box.value.trim();
    const wrong = await question.wrong(value);
    // What was typed meanwhile is checked by its own.
    if (box.value.trim() === value) {
      box.validationMessage = value === "" ? undefined : wrong;
    }
    return wrong === undefined;
  };
  return await shown(box, place, (done) => {
    box.onDidChangeValue(() => void check());
    box.onDidAccept(async () => {
      const value = box.value.trim();
      if ((await check()) && value !== "") {
        done(value);
      }
    });
  });
}

async function shown(
  input: vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox,
  place: Place,
  listen: (done: (answer: Answer) => void) => void,
): Promise<Answer> {
  input.title = place.title;
  input.step = place.step;
  input.totalSteps = place.totalSteps;
  input.ignoreFocusOut = true;
  input.buttons = place.step > 1 ? [vscode.QuickInputButtons.Back] : [];
  try {
    return await new Promise((done) => {
      input.onDidTriggerButton(() => done(BACK));
      input.onDidHide(() => done(undefined));
      listen(done);
      input.show();
    });
  } finally {
    input.dispose();
  }
}
