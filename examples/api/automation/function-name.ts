import { functionName } from "@cloud-browser/automation";

console.log(functionName("When does the next ferry leave from pier 3?")); // when_does_the_next_ferry_leave
