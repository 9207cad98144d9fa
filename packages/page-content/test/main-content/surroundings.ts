/** What pages have around their content. Each says something that no content here says. */
export const around = {
  nav: `<nav class="main-nav"><ul><li><a href="/">Home</a></li><li><a href="/news">Newsroom</a></li><li><a href="/shop">Our shop</a></li><li><a href="/about">About the company</a></li><li><a href="/contact">Contact the team</a></li></ul></nav>`,
  header: `<header class="site-header"><a class="logo" href="/">Harbour Post</a><form role="search"><label>Search this site</label><input name="q"><button>Search</button></form><a href="/login">Log in</a> <a href="/join">Create an account</a></header>`,
  cookies: `<div id="cookie-banner" class="cookie-consent" role="dialog"><p>We use cookies to improve your visit. By continuing you agree to our use of cookies.</p><button>Accept all cookies</button><button>Manage cookie settings</button></div>`,
  footer: `<footer class="site-footer"><div><a href="/privacy">Privacy policy</a> <a href="/terms">Terms of use</a> <a href="/imprint">Imprint</a> <a href="/jobs">Careers</a></div><p>© 2026 Harbour Post Ltd. All rights reserved.</p></footer>`,
  newsletter: `<section class="newsletter-signup"><h3>Subscribe to our newsletter</h3><p>Get the best stories every week.</p><form><label>Your e-mail</label><input type="email"><button>Sign me up</button></form></section>`,
  related: `<aside class="related-posts"><h3>Related stories</h3><ul><li><a href="/a">Ten ferries you must ride this summer</a></li><li><a href="/b">Why lighthouses are painted in stripes</a></li><li><a href="/c">A guide to knots for beginners</a></li><li><a href="/d">The oldest chandlery in town</a></li></ul></aside>`,
  share: `<div class="share-buttons"><span>Share this</span> <a href="#f">Facebook</a> <a href="#t">Twitter</a> <a href="#w">WhatsApp</a> <a href="#m">E-mail</a></div>`,
  sidebar: `<aside class="sidebar"><div class="widget"><h4>Most popular</h4><ul><li><a href="/p1">Tide tables explained</a></li><li><a href="/p2">Where to eat by the quay</a></li><li><a href="/p3">Boats for sale in spring</a></li></ul></div><div class="ad">Advertisement: rent a boat today</div></aside>`,
  comments: `<section id="comments" class="comments-area"><h2>3 comments</h2><ol class="comment-list"><li class="comment"><cite>gull77</cite> <p>Totally agree, my uncle said the same thing.</p><a href="#r1">Reply</a></li><li class="comment"><cite>Mara</cite> <p>First! Great read as always.</p><a href="#r2">Reply</a></li><li class="comment"><cite>old salt</cite> <p>Nobody asks the fishermen anyway.</p><a href="#r3">Reply</a></li></ol><h3>Leave a reply</h3><form><label>Name</label><input><textarea></textarea><button>Post comment</button></form></section>`,
} as const;

/** What no main content here may hold. */
export const aroundMarks = [
  "Newsroom",
  "Search this site",
  "Accept all cookies",
  "Privacy policy",
  "All rights reserved",
  "Subscribe to our newsletter",
  "Ten ferries you must ride",
  "Boats for sale in spring",
  "Nobody asks the fishermen",
] as const;

/** A page around some content. */
export function pageAround(title: string, content: string, head = ""): string {
  return `<!DOCTYPE html><html lang="en"><head><title>${title}</title>${head}</head><body>${around.header}${around.nav}${around.cookies}${content}${around.newsletter}${around.footer}</body></html>`;
}

/** Sentences about the sea, as many paragraphs as asked for, each different. */
export function paragraphs(count: number): string {
  return Array.from({ length: count }, (_, at) => `<p>${paragraphText(at)}</p>`).join("\n");
}

/** The text of one of them. */
export function paragraphText(at: number): string {
  const ships = ["ferry", "trawler", "schooner", "pilot boat", "freighter", "tug", "dredger"];
  const places = [
    "the northern pier",
    "the old lock",
    "the fish market",
    "the sandbank",
    "the lighthouse",
    "the dry dock",
  ];
  const ship = ships[at % ships.length] ?? "";
  const place = places[(at * 5 + 1) % places.length] ?? "";
  return `In the ${at + 3}th week of the season the ${ship} left ${place} before sunrise, and its crew noticed that the current had changed. Nobody on board could say why, but the captain, who had sailed these waters for ${at + 20} years, decided to wait until the fog was gone. When they returned in the evening, the harbour master wrote everything down in a book that is still kept today.`;
}
