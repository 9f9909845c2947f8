import type { ComponentChildren, VNode } from 'preact';
import { locales, type Language } from '../../locales/language.ts';
import { scriptAddress, styles } from '../assets.ts';
import type { PublicContent } from '../../server/http/public/public-parts.ts';
import { html } from '../html.ts';
import { href, type ProjectView, type View } from '../view.ts';
import { shortTag } from '../visitor.ts';
import { Band, iconOf, Mark } from './mark.tsx';

interface LayoutProps {
  view: View;
  /** Before the project's title; null: the first page, which has its own header (`Hero` of a project). */
  title: string | null;
  /** Further elements of `<head>`: what describes this page to other programs. */
  head?: ComponentChildren;
  children: ComponentChildren;
}

function Layout({ view, title, head, children }: LayoutProps): VNode {
  const { language, project, indexed } = view;
  const { t } = language;
  const site = project?.title ?? t('site.projects');
  const projectView = project && { ...view, project };
  return (
    <html lang={language.locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title === null ? site : `${title} · ${site}`}</title>
        {project?.description != null && <meta name="description" content={project.description} />}
        {indexed ? <AddressLinks view={view} /> : <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content="light dark" />
        {project !== null && <meta name="theme-color" content={project.accentColor} />}
        <link rel="icon" href={iconOf(view)} />
        <StylesAndScript />
        {head}
      </head>
      <body data-durations={durationForms(language)}>
        <a class="skip" href="#main">
          {t('site.skip')}
        </a>
        {project !== null && <Band colour={project.accentColor} />}
        {(title !== null || project === null) && (
          <header class="top">
            {projectView && <Mark view={projectView} />}
            <a class="title" href={href(view, '')}>
              {site}
            </a>
            {projectView && <DiscordButton view={projectView} />}
          </header>
        )}
        <main id="main">{children}</main>
        <footer>
          {project !== null && (
            <p class="dim">
              {t('labelled', { label: t('site.zone'), value: '' })}
              <span data-zone>{view.zone}</span>
            </p>
          )}
          <LanguageLinks view={view} />
        </footer>
      </body>
    </html>
  );
}

export function DiscordButton({ view: { project } }: { view: ProjectView }): VNode | null {
  if (project.discordUrl === null) return null;
  return (
    <a class="button quiet" href={project.discordUrl} rel="noreferrer">
      Discord
    </a>
  );
}

/** The styles are part of each document, so that browsers can draw it from the first answer. */
export function StylesAndScript(): VNode {
  return (
    <>
      <style dangerouslySetInnerHTML={{ __html: styles }} />
      <script src={scriptAddress} defer />
    </>
  );
}

/** The texts of `relativeTime` as JSON. The browser's script replaces `{h}`, `{m}` and `{duration}` in them. */
export function durationForms({ t }: Language): string {
  const [hours, minutes, duration] = ['{h}', '{m}', '{duration}'];
  return JSON.stringify({
    in: t('when.in', { duration }),
    ago: t('when.ago', { duration }),
    hours: t('duration.hours', { hours, minutes }),
    wholeHours: t('duration.wholeHours', { hours }),
    minutes: t('duration.minutes', { minutes }),
  });
}

/** For search engines: the address of this page, and those of its other languages. */
function AddressLinks({ view }: { view: View }): VNode | null {
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

/** Each named in itself, such as `Deutsch`. Some write their name without a capital letter, which a list needs. */
const languages = locales.map((locale) => {
  const tag = shortTag(locale);
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return { tag, name: name.slice(0, 1).toLocaleUpperCase(tag) + name.slice(1) };
});

function LanguageLinks({ view }: { view: View }): VNode {
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

/** A page inside the layout that all share. */
export function page(props: LayoutProps, status = 200): PublicContent {
  const { language, indexed } = props.view;
  return html(<Layout {...props} />, { language, indexed, status });
}
