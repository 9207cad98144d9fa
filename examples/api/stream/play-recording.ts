import { playRecording, readAutomationStream } from "@cloud-browser/stream";

const recording = `{"format":"cloud-browser-stream-recording","version":1}
{"atMs":0,"text":"data: {\\"type\\":\\"done\\"}\\n\\n"}
{"end":"complete"}
`;
const source = playRecording(recording, { chunkBytes: 5 }); // as if the network had cut it into pieces
console.log((await readAutomationStream(source).outcome()).type); // done
