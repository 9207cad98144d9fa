/** How the commands that use a service are called, wherever they are installed or not. */
export const shownCommand = "npx @cloud-browser/cli";
