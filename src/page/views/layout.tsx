import type { ComponentChildren, VNode } from 'preact';
import { locales, type Language } from '../../locales/language.ts';
import { scriptAddress, styles } from '../assets.ts';
import type { PublicContent } from '../../server/http/public/public-parts.ts';
import { html } from '../html.ts';
import { href, type View } from '../view.ts';
import { shortTag } from '../visitor-language.ts';
import { Band, iconOf, Mark } from './mark.tsx';

interface LayoutProps {
  view: View;
  /** Before the project's title; null: the first page. */
  title: string | null;
  /** Further elements of `<head>`: what describes this page to other programs. */
  head?: ComponentChildren;
  /** Whether the page changes by itself. */
  live?: boolean;
  children: ComponentChildren;
}

function Layout({ view, title, head, live = false, children }: LayoutProps): VNode {
  const { language, project, indexed } = view;
  const { t } = language;
  const site = project?.title ?? t('site.projects');
  return (
    <html lang={language.locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title === null ? site : `${title} · ${site}`}</title>
        {project?.description != null && <meta name="description" content={project.description} />}
        {indexed ? <Addresses view={view} /> : <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content="light dark" />
        {project !== null && <meta name="theme-color" content={project.accentColor} />}
        <link rel="icon" href={iconOf(project)} type="image/svg+xml" />
        <style dangerouslySetInnerHTML={{ __html: styles }} />
        <script src={scriptAddress} defer />
        {head}
      </head>
      <body
        {...(live && project !== null && { 'data-events': `/events?project=${project.slug}` })}
        {...liveWords(language)}
      >
        <a class="skip" href="#main">
          {t('site.skip')}
        </a>
        <header class="top">
          {project !== null && <Band colour={project.accentColor} />}
          {project !== null && <Mark project={project} />}
          <div class="brand">
            <a class="title" href={href(view, '')}>
              {site}
            </a>
            {project?.description != null && <p>{project.description}</p>}
          </div>
          {project?.discordUrl != null && (
            <a class="button quiet" href={project.discordUrl} rel="noreferrer">
              Discord
            </a>
          )}
        </header>
        <main id="main">{children}</main>
        <footer>
          <Languages view={view} />
        </footer>
      </body>
    </html>
  );
}

/** What the browser's script calls the states of servers, players beside a count that changes, and times. */
export const liveWords = (language: Language): Record<string, string> => ({
  'data-online': language.t('state.ONLINE'),
  'data-offline': language.t('state.OFFLINE'),
  'data-unknown': language.t('state.UNKNOWN'),
  'data-word': pluralForms(language, 'status.playersWord'),
  'data-sum-word': pluralForms(language, 'site.online'),
  'data-durations': durationForms(language),
});

/** The texts of `relativeTime`, as JSON, with `{h}`, `{m}` and `{duration}` for what the browser's script puts in. */
function durationForms({ t }: Language): string {
  const [hours, minutes, duration] = ['{h}', '{m}', '{duration}'];
  return JSON.stringify({
    in: t('when.in', { duration }),
    ago: t('when.ago', { duration }),
    hours: t('duration.hours', { hours, minutes }),
    wholeHours: t('duration.wholeHours', { hours }),
    minutes: t('duration.minutes', { minutes }),
  });
}

/** They have all plural forms of whole numbers in the languages that have texts. */
const countsOfForms = [0, 1, 2, 5];

/** A word in its plural forms, as JSON by the names that Intl.PluralRules gives them. */
function pluralForms({ locale, t }: Language, key: 'status.playersWord' | 'site.online'): string {
  const rules = new Intl.PluralRules(locale);
  return JSON.stringify(
    Object.fromEntries(countsOfForms.map((count) => [rules.select(count), t(key, { count })])),
  );
}

/** For search engines: the one address of a page in its language, and those in others. */
function Addresses({ view }: { view: View }): VNode | null {
  const { publicUrl, path } = view;
  if (publicUrl === null) return null;
  const address = (chosen: string | null): string => `${publicUrl}${href({ ...view, chosen }, path)}`;
  return (
    <>
      <link rel="canonical" href={address(view.chosen)} />
      <link rel="alternate" hreflang="x-default" href={address(null)} />
      {languages.map(({ tag }) => (
        <link rel="alternate" hreflang={tag} href={address(tag)} />
      ))}
    </>
  );
}

/** Each with its own name for itself, with a capital letter. */
const languages = locales.map((locale) => {
  const tag = shortTag(locale);
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return { tag, name: name.slice(0, 1).toLocaleUpperCase(tag) + name.slice(1) };
});

function Languages({ view }: { view: View }): VNode {
  const { locale, t } = view.language;
  return (
    <nav class="languages" aria-label={t('site.language')}>
      <ul>
        {languages.map(({ tag, name }) => (
          <li>
            <a
              href={href({ ...view, chosen: tag }, view.path)}
              lang={tag}
              hreflang={tag}
              rel="nofollow"
              {...(tag === shortTag(locale) && { 'aria-current': 'true' as const })}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function page(props: LayoutProps, status = 200): PublicContent {
  const { language, indexed } = props.view;
  return html(<Layout {...props} />, { language, indexed, status });
}
