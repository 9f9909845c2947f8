import type { VNode } from 'preact';
import { html } from '../html.ts';
import { durationForms, StylesAndScript } from '../parts/layout.tsx';
import { ServerCard } from '../parts/server-card.tsx';
import { readShownServers, type ShownServer } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { href, type ProjectView } from '../view.ts';

/** A server for a frame in other people's pages: the one page that they may show in a frame. */
export const widget: ProjectRoute = {
  path: '/widget/:server',
  query: ['theme'],
  async make({ project, view, params, query }) {
    const [shown] = await readShownServers(project, params['server']);
    if (shown === undefined) return null;
    const theme = query['theme'] === 'dark' || query['theme'] === 'light' ? query['theme'] : null;
    const options = { language: view.language, indexed: false, framed: true };
    return html(<Widget view={view} shown={shown} theme={theme} />, options);
  },
};

interface WidgetProps {
  view: ProjectView;
  shown: ShownServer;
  /** Null: light or dark as the browser prefers. */
  theme: 'light' | 'dark' | null;
}

/** Its links open in a new tab, since the page around it is not ours. */
function Widget({ view, shown, theme }: WidgetProps): VNode {
  const { language, project } = view;
  const site = (
    <a class="site" href={href(view, '')}>
      {project.title}
    </a>
  );
  return (
    <html lang={language.locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{project.title}</title>
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        <base target="_blank" />
        <StylesAndScript />
      </head>
      <body class="widget" data-durations={durationForms(language)}>
        <main>
          <ServerCard view={view} shown={shown} heading="h1" linked link={site} />
        </main>
      </body>
    </html>
  );
}
