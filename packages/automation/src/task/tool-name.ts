import type { Step } from "./step.ts";

const names: Readonly<Record<Step["action"], string>> = {
  open: "open_page",
  back: "go_back",
  click: "click",
  hover: "hover",
  fill: "fill",
  select: "select_option",
  check: "set_checked",
  upload: "upload_files",
  press: "press_key",
  scroll: "scroll",
  tab: "use_tab",
  wait: "wait",
  extract: "extract",
};

/** Returns the tool name of a step, in `tool_start` events. Source: interface § Events; the names are ours. */
export function chooseToolName({ action }: Step): string {
  return names[action];
}
