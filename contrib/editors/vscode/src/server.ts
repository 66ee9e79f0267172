// The server of this window: started when the folder is trusted, told the settings, restarted on demand.

import * as os from "node:os";
import * as readline from "node:readline";
import * as vscode from "vscode";
import {
  type ApplyWorkspaceEditResult,
  CloseAction,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  State,
} from "vscode-languageclient/node";
import { DOCUMENTS } from "./keps";
import { harmless } from "./messages";
import { environment, find } from "./program";
import * as settings from "./settings";

const NOT_CANCELLED = new vscode.CancellationTokenSource().token;

/** Takes over a command that the server offers, such as one behind a code lens. */
export type Takeover = (argument: unknown) => Thenable<unknown>;

/** What there is of the server. */
export type Condition =
  | { is: "untrusted" }
  | { is: "missing"; problem: string }
  | { is: "starting" }
  | { is: "running"; version: string }
  | { is: "stopped" };

/** The server of this window. */
export class Server implements vscode.Disposable {
  /** The stage that is looked at instead of that of kep.yaml, until the window is closed. */
  preview: string | undefined;
  readonly log: vscode.LogOutputChannel;
  readonly onDidChange: vscode.Event<void>;
  /** The documents whose findings are known. */
  private readonly checked = new Set<string>();
  private readonly closing: vscode.Disposable;
  private readonly changed = new vscode.EventEmitter<void>();
  private client: LanguageClient | undefined;
  private now: Condition = { is: "stopped" };
  private last: Promise<void> = Promise.resolve();
  /** What became of the last change that the server asked for. */
  private edit: Promise<ApplyWorkspaceEditResult | undefined> = Promise.resolve(undefined);

  constructor(
    private readonly extension: vscode.Uri,
    private readonly takeovers: ReadonlyMap<string, Takeover>,
  ) {
    this.log = vscode.window.createOutputChannel("kep-lint", { log: true });
    this.onDidChange = this.changed.event;
    this.closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.checked.delete(uri.toString()));
  }

  /** What there is of it. */
  get condition(): Condition {
    return this.now;
  }

  /** Whether the findings of an open document are known. */
  hasChecked(uri: vscode.Uri): boolean {
    return this.checked.has(uri.toString());
  }

  /** Starts it, or another one in its place. */
  restart(): Promise<void> {
    this.last = this.last.then(async () => {
      await this.stop();
      await this.start();
    });
    return this.last;
  }

  /** Tells the server the settings of now. */
  async configure(): Promise<void> {
    if (this.client?.state === State.Running) {
      const options = { [settings.SECTION]: this.options() };
      await this.client.sendNotification(DidChangeConfigurationNotification.type, { settings: options });
    }
    this.changed.fire();
  }

  /** Makes the server look at all files again. */
  async checkAgain(): Promise<void> {
    await this.client?.sendNotification(DidChangeWatchedFilesNotification.type, { changes: [] });
  }

  /** Runs a command of the server, until what it changes is there. */
  async run<T>(command: string, argument: object): Promise<T> {
    if (this.client?.state !== State.Running) {
      throw new Error("the server is not running");
    }
    this.edit = Promise.resolve(undefined);
    const result = await this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] });
    // The server asks for the change before it answers, and the editor takes its time.
    const edit = await this.edit;
    if (edit?.applied === false) {
      throw new Error(`the editor did not change the files${edit.failureReason ? `: ${edit.failureReason}` : ""}`);
    }
    return result;
  }

  async dispose(): Promise<void> {
    await this.stop();
    this.closing.dispose();
    this.changed.dispose();
    this.log.dispose();
  }

  private async start(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      this.become({ is: "untrusted" });
      return;
    }
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
    const found = find({ setting: settings.program(), extension: this.extension.fsPath, folders });
    if ("problem" in found) {
      const problem = harmless(found.problem);
      this.log.warn(problem);
      this.become({ is: "missing", problem });
      return;
    }
    this.log.info(`starting ${found.program}`);
    this.become({ is: "starting" });
    const isTraced = vscode.workspace.getConfiguration(settings.SECTION).get("trace.server", "off") !== "off";
    let hasRun = false;
    const client: LanguageClient = new LanguageClient(
      settings.SECTION,
      "kep-lint",
      {
        command: found.program,
        args: isTraced ? ["lsp", "--log"] : ["lsp"],
        // Findings name files from there. The programs that the server calls are not looked for in a folder that is open.
        options: { cwd: folders[0] ?? os.homedir(), env: environment(folders) },
      },
      {
        documentSelector: DOCUMENTS,
        diagnosticCollectionName: "kep-lint",
        initializationOptions: () => this.options(),
        outputChannel: this.log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationFailedHandler: () => false,
        errorHandler: {
          error: (...what) => usual.error(...what),
          // What ends before it has said anything would do so again.
          closed: () => (hasRun ? usual.closed() : { action: CloseAction.DoNotRestart, handled: true }),
        },
        stdioOptions: {
          stdout: () => {},
          stderr: (input, log) => readline.createInterface({ input }).on("line", (line) => log.info(line)),
        },
        middleware: {
          executeCommand: (command, args, next) => {
            const takeover = this.takeovers.get(command);
            return takeover ? takeover(args[0]) : next(command, args);
          },
          handleDiagnostics: (uri, diagnostics, next) => {
            next(uri, diagnostics);
            this.check(uri);
          },
          workspace: {
            handleApplyEdit: (params, next) => {
              const edit = (async () => (await next(params, NOT_CANCELLED)) as ApplyWorkspaceEditResult)();
              this.edit = edit;
              return edit;
            },
          },
        },
      },
    );
    // A formatter that does nothing would make VS Code ask which of several to use.
    client.registerFeature({
      fillClientCapabilities: () => {},
      preInitialize: (capabilities) => {
        if (!settings.formatsContents()) {
          delete capabilities.documentFormattingProvider;
        }
      },
      initialize: () => {},
      getState: () => ({ kind: "static" }),
      clear: () => {},
    });
    const usual = client.createDefaultErrorHandler();
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      if (this.client !== client) {
        return;
      }
      if (newState === State.Running) {
        hasRun = true;
        this.become({ is: "running", version: client.initializeResult?.serverInfo?.version ?? "" });
      } else {
        this.become({ is: newState === State.Starting ? "starting" : "stopped" });
      }
    });
    try {
      await client.start();
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      this.log.error(`${found.program} lsp: ${words}`);
      const problem = harmless(`${found.program} does not serve editors; a newer version may`);
      this.client = undefined;
      this.become({ is: "missing", problem });
    }
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.needsStop()) {
      // A server that does not answer is ended by the client.
      await client.dispose().catch((error: unknown) => this.log.warn(String(error)));
    }
    this.become({ is: "stopped" });
  }

  private check(uri: vscode.Uri): void {
    const key = uri.toString();
    // The server also tells that a closed document has no findings any more.
    const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.toString() === key);
    if (isOpen && !this.checked.has(key)) {
      this.checked.add(key);
      this.changed.fire();
    }
  }

  private options(): object {
    const { options, problems } = settings.read();
    for (const problem of problems) {
      this.log.warn(harmless(problem));
    }
    return this.preview === undefined ? options : { ...options, stage: this.preview };
  }

  private become(condition: Condition): void {
    this.now = condition;
    if (condition.is !== "running") {
      this.checked.clear();
    }
    void vscode.commands.executeCommand("setContext", "kepLint.isRunning", condition.is === "running");
    this.changed.fire();
  }
}
