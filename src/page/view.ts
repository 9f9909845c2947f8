import type { BoardMetric } from '../api/log-metrics.ts';
import type { Server } from '../api/resources.ts';
import { clean, plain } from '../embeds/text.ts';
import type { Image, LoadImage } from './images.ts';
import { imagePath } from './paths.ts';
import type { PageProject } from './project.ts';
import type { Visitor } from './visitor.ts';

/** What the config says of the page. */
export interface PageSettings {
  /** Search engines may list it. */
  indexed: boolean;
  /** Where visitors reach this service, without a slash at its end; null: the config does not say. */
  publicUrl: string | null;
  /** Whether leaderboards and players are shown. */
  players: boolean;
  /** The leaderboards of the first page. */
  boards: readonly BoardMetric[];
}

/** What each page knows of its request. */
export interface View extends PageSettings, Pick<Visitor, 'language' | 'chosen'> {
  /** Null: a page that is about no project. */
  project: ViewedProject | null;
  /** The path of this page without the project's part, such as `/servers/northwood-1`. */
  path: string;
  /** Epoch milliseconds. */
  now: number;
  /** IANA zone of all times on the page, until the browser's script puts them into the visitor's. */
  zone: string;
}

/** That of a page about a project. */
export type ProjectView = View & { project: ViewedProject };

export interface ViewedProject {
  /** What each path of the project begins with: empty where it is the only one. */
  base: string;
  title: string;
  description: string | null;
  /** `#` and six hex digits. */
  accentColor: string;
  /** The owner's pictures; null: there is none, or it could not be loaded. */
  logo: Image | null;
  banner: Image | null;
  discordUrl: string | null;
}

const defaultAccent = '#5865f2';

/** @param load left out: the page shows no pictures */
export async function viewedProject(
  { slug, branding }: Pick<PageProject, 'slug' | 'branding'>,
  base: string,
  load: LoadImage = async () => null,
): Promise<ViewedProject> {
  const { name, support } = branding();
  const [logo = null, banner = null] = await Promise.all(
    [support.logoUrl, support.bannerUrl].map(async (url) => (url ? await load(url) : null)),
  );
  return {
    base,
    title: clean(support.title ?? name) || slug,
    description: clean(support.description ?? '') || null,
    accentColor: support.accentColor ?? defaultAccent,
    discordUrl: support.discordUrl ?? null,
    logo,
    banner,
  };
}

/** The address of a page of the same project, in the language that the visitor chose. */
export function href({ project, chosen }: View, path: string): string {
  const address = `${project?.base ?? ''}${path}`;
  return `${address === '' ? '/' : address}${chosen === null ? '' : `?lang=${chosen}`}`;
}

/** The address of the project's logo or banner, which changes with it; null: there is none. */
export function imageAddress({ project }: View, kind: 'logo' | 'banner'): string | null {
  const image = project?.[kind] ?? null;
  return image && `${project?.base}${imagePath(kind)}?v=${image.version}`;
}

/** The address of a page with its host, for those who read it elsewhere; null: the host is not known. */
export function absolute(view: View, path: string): string | null {
  return view.publicUrl === null ? null : `${view.publicUrl}${href(view, path)}`;
}

/** A name from outside as one line of visible characters; never empty. It is not escaped: Preact does that. */
export function nameOr(text: string | null, otherwise: string): string {
  return clean(text ?? '') || otherwise;
}

/** A server's name for a place without markdown, never empty: its id replaces a name without visible characters. */
export function plainName({ name, id }: Pick<Server, 'id' | 'name'>, max = 60): string {
  return plain(name, max) || plain(id, max) || '?';
}
