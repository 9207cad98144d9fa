import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";

/** What has come of a login that is bound to its connection. */
interface Connection {
  readonly number: number;
  isChallenged: boolean;
  isLoggedIn: boolean;
}

/** How the first and the last message of a client begin with NTLM. */
export const ntlm = { first: "TlRMTVNTUAABAAAA", last: "TlRMTVNTUAADAAAA" } as const;

/** NTLM's second message: no name of a target, the usual flags, a challenge, and no more about the target than its end. */
function writeChallenge(connection: Connection): string {
  const message = Buffer.alloc(52);
  message.write("NTLMSSP\0", "latin1");
  message.writeUInt32LE(2, 8);
  message.writeUInt32LE(48, 16);
  message.writeUInt32LE(0x00_88_82_05, 20);
  message.writeUInt32LE(connection.number, 24);
  message.writeUInt16LE(4, 40);
  message.writeUInt16LE(4, 42);
  message.writeUInt32LE(48, 44);
  return message.toString("base64");
}

/**
 * Lets nobody in but over a connection that has logged in with NTLM, and then everybody who uses it.
 * Believes every password: what counts is that the last message comes over the connection of the first.
 */
export function loginServer(): Server {
  const connections = new WeakMap<Socket, Connection>();
  let count = 0;
  return createServer((request, response) => {
    const connection = connections.get(request.socket) ?? {
      number: (count += 1),
      isChallenged: false,
      isLoggedIn: false,
    };
    connections.set(request.socket, connection);
    const [, token = ""] = /^(?:NTLM|Negotiate) (.{16})/i.exec(request.headers.authorization ?? "") ?? [];
    if (token === ntlm.last && connection.isChallenged) connection.isLoggedIn = true;
    connection.isChallenged = token === ntlm.first;
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("Content-Type", "text/html");
    if (connection.isChallenged) response.setHeader("WWW-Authenticate", `NTLM ${writeChallenge(connection)}`);
    else if (!connection.isLoggedIn) response.setHeader("WWW-Authenticate", "NTLM");
    const isIn = connection.isLoggedIn && !connection.isChallenged;
    request.resume().on("end", () => {
      response.statusCode = isIn ? 200 : 401;
      response.end(`<p>${isIn ? "in" : "out"}, over ${connection.number}</p>`);
    });
  });
}
