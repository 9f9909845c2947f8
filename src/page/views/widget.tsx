import type { VNode } from 'preact';
import type { Schedule, Server } from '../../api/resources.ts';
import { scriptAddress, styles } from '../assets.ts';
import type { PublicContent } from '../../server/http/public/public-parts.ts';
import { html } from '../html.ts';
import { serverPath } from '../paths.ts';
import { href, type View, type ViewedProject } from '../view.ts';
import { durationForms } from './layout.tsx';
import { Name, ServerCard } from './parts.tsx';

interface WidgetProps {
  view: View & { project: ViewedProject };
  server: Server;
  schedules: readonly Schedule[];
  canJoin: boolean;
  /** Null: the browser's. */
  theme: 'light' | 'dark' | null;
}

/** One server for a frame in another page. Its links open beside that page. */
function Widget({ view, server, schedules, canJoin, theme }: WidgetProps): VNode {
  const { language, project } = view;
  const { t } = language;
  const heading = (
    <h1>
      <a href={href(view, serverPath(server.id))} rel="noopener">
        <Name text={server.name} otherwise={server.id} />
      </a>
    </h1>
  );
  return (
    <html lang={language.locale} {...(theme !== null && { 'data-theme': theme })}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{project.title}</title>
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        <base target="_blank" />
        <style dangerouslySetInnerHTML={{ __html: styles }} />
        <script src={scriptAddress} defer />
      </head>
      <body class="widget" data-durations={durationForms(language)}>
        <main>
          <ServerCard view={view} server={server} schedules={schedules} heading={heading}>
            <p class="actions">
              {canJoin && (
                <a class="button" href={`/join/${encodeURIComponent(server.id)}`} rel="noopener nofollow">
                  {t('button.join')}
                </a>
              )}{' '}
              <a class="site" href={href(view, '')} rel="noopener">
                {project.title}
              </a>
            </p>
          </ServerCard>
        </main>
      </body>
    </html>
  );
}

/** The widget as a route returns it: the one page that others may show in a frame. */
export function widgetPage(props: WidgetProps): PublicContent {
  return html(<Widget {...props} />, { language: props.view.language, indexed: false, framed: true });
}
