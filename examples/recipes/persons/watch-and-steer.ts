// Shows a session to a person, who takes the control and acts: node watch-and-steer.ts <session>
import { createControl } from "@cloud-browser/client/control";

const session = process.argv[2] ?? "";
// #region socket
const { live_url } = await createControl().tokens.create(session, {
  scope: "steer", // watch: pictures only
  lifetime_s: 600,
});

const socket = new WebSocket(live_url ?? ""); // the token in it is all that a page needs
socket.binaryType = "arraybuffer";
socket.addEventListener("message", ({ data }) => {
  if (typeof data === "string") return show(JSON.parse(data)); // tabs, address, title, loading, dialogs
  draw(new Blob([data.slice(8)], { type: "image/jpeg" })); // before it: number, width and height of the viewport
  socket.send(JSON.stringify({ type: "ack", picture: new DataView(data).getUint32(0) }));
});
socket.addEventListener("open", () => {
  socket.send(JSON.stringify({ type: "control", action: "take" }));
  socket.send(JSON.stringify({ type: "mouse", action: "down", x: 40, y: 60 }));
  socket.send(JSON.stringify({ type: "mouse", action: "up", x: 40, y: 60 }));
});
// #endregion socket

let [pictures, steers] = [0, false];
function show(message: { readonly type: string; readonly you?: boolean }): void {
  if (message.type !== "control" || message.you !== true) return;
  steers = true;
  console.log("you have the control; what the program does waits");
  leave();
}

function draw(picture: Blob): void {
  if (++pictures === 1) console.log(`${picture.type} of the page`);
  leave();
}

function leave(): void {
  if (pictures > 0 && steers) socket.close(); // keeps the control for --control-grace; { type: "control", action: "release" } gives it back
}
