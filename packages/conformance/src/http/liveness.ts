import { connect } from "node:net";

/** Time between two connection attempts, in milliseconds: to this machine, and to another one. */
const localMs = 200;
const remoteMs = 2_000;

/**
 * Polls whether an address accepts connections, until the signal is aborted. It sends nothing, and keeps no connection open: some servers
 * wait for open ones before they end. A server that is down for less than 200 ms may go unnoticed.
 *
 * @param onChange - Called with false when connections are no longer accepted, and with true when they are again. At the beginning they
 *   count as accepted.
 */
export function watchAddress(address: string, signal: AbortSignal, onChange: (isUp: boolean) => void): void {
  const { hostname, port, protocol } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "");
  const interval = /^(localhost|127\.|::1$)/.test(host) ? localMs : remoteMs;
  let isUp = true;
  const check = (): void => {
    if (signal.aborted) return;
    const socket = connect({ host, port: Number(port) || (protocol === "https:" ? 443 : 80), timeout: 5_000 });
    const settle = (answers: boolean): void => {
      socket.removeAllListeners("connect").removeAllListeners("timeout");
      socket.destroy();
      if (signal.aborted) return;
      if (answers !== isUp) onChange(answers);
      isUp = answers;
      setTimeout(check, interval).unref();
    };
    socket.once("connect", () => settle(true));
    socket.once("timeout", () => settle(false));
    socket.once("error", () => settle(false));
  };
  check();
}
