/** Name of the world of scripts that the service runs in each document, apart from those of the page. */
export const isolatedWorld = "cloud-browser-forms";
