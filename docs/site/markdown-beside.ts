import { defineRouteMiddleware } from "@astrojs/starlight/route-data";

/** Names, in the head of each page, the Markdown that is beside it. */
export const onRequest = defineRouteMiddleware((context) => {
  const { id, head } = context.locals.starlightRoute;
  if (id === "404") return;
  const href = `${import.meta.env.BASE_URL.replace(/\/$/, "")}/${id === "" ? "index" : id}.md`;
  head.push({ tag: "link", attrs: { rel: "alternate", type: "text/markdown", href } });
});
