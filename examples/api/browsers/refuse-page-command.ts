import { refusePageCommand } from "@cloud-browser/browsers";

console.log(refusePageCommand("Page.navigate", { url: "https://ferries.example/" })); // undefined
console.log(refusePageCommand("Browser.close", {})?.message); // …
