import type { ActingCommand } from "@cloud-browser/browsers";

/** Most commands of one session that wait while a person controls it, of all its clients together. */
const commandLimit = 1_000;
/** Most characters of them. */
const sizeLimit = 32 * 2 ** 20;

const full =
  `A person controls this session, and the limit of waiting commands (${commandLimit}, ${sizeLimit / 2 ** 20} million characters in all) ` +
  "is reached. This command was not executed: send it again when the control has been given back (`control` of GET /control/sessions/{session_id}).";

/** A command, and the client that has sent it. */
interface Waiting {
  readonly client: object;
  readonly command: ActingCommand;
}

/** Commands of all clients of a session that wait for its control, in the order in which they came. */
export class WaitingCommands {
  readonly #onChange: (count: number) => void;
  #waiting: readonly Waiting[] = [];
  #size = 0;

  /** @param onChange - Called when their number changes. */
  constructor(onChange: (count: number) => void) {
    this.#onChange = onChange;
  }

  /** How many there are. */
  get count(): number {
    return this.#waiting.length;
  }

  /** Has a command of a client wait. Returns why it can't, as the message of a CDP error. */
  add(client: object, command: ActingCommand): string | undefined {
    if (this.#waiting.length >= commandLimit || this.#size + command.size > sizeLimit) return full;
    this.#waiting = [...this.#waiting, { client, command }];
    this.#size += command.size;
    this.#onChange(this.count);
    return undefined;
  }

  /** Forgets those of a client: it has gone. */
  forget(client: object): void {
    this.#keep(this.#waiting.filter((one) => one.client !== client));
  }

  /** Executes all of them, in order. */
  run(): void {
    const due = this.#waiting;
    this.#keep([]);
    for (const { command } of due) command.run();
  }

  #keep(waiting: readonly Waiting[]): void {
    if (waiting.length === this.#waiting.length) return;
    this.#waiting = waiting;
    this.#size = waiting.reduce((sum, { command }) => sum + command.size, 0);
    this.#onChange(this.count);
  }
}
