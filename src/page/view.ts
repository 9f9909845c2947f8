import type { Project, Support } from '../api/resources.ts';
import { clean } from '../embeds/text.ts';
import type { Visitor } from './visitor.ts';

/** What every page needs to know. */
export interface View extends Pick<Visitor, 'language' | 'chosen'> {
  /** Null: a page that is about no project. */
  project: ViewedProject | null;
  /** The path of this page without the project's part, such as `/servers/northwood-1`. */
  path: string;
  indexed: boolean;
  /** Where visitors reach this service, without a slash at its end; null: the config does not say. */
  publicUrl: string | null;
  /** Whether leaderboards and players are shown. */
  players: boolean;
  /** Epoch milliseconds. */
  now: number;
}

export type ProjectView = View & { project: ViewedProject };

export interface ViewedProject {
  slug: string;
  /** What each path of the project begins with: empty where it is the only one. */
  base: string;
  title: string;
  description: string | null;
  /** `#` and six hex digits. */
  accentColor: string;
  discordUrl: string | null;
}

const defaultAccent = '#5865f2';

/** What the project's owner says of it. */
export interface Branding {
  project: Pick<Project, 'slug' | 'name'>;
  support: Pick<Support, 'title' | 'description' | 'accentColor' | 'discordUrl'>;
}

export function viewedProject({ project, support }: Branding, base: string): ViewedProject {
  return {
    slug: project.slug,
    base,
    title: clean(support.title ?? project.name) || project.slug,
    description: clean(support.description ?? '') || null,
    accentColor: support.accentColor ?? defaultAccent,
    discordUrl: support.discordUrl,
  };
}

/** The address of a page of the same project, in the language that the visitor chose. */
export function href({ project, chosen }: View, path: string): string {
  const address = `${project?.base ?? ''}${path}`;
  return `${address === '' ? '/' : address}${chosen === null ? '' : `?lang=${chosen}`}`;
}

/** The address of a page with its host, for those who read it elsewhere; null: the host is not known. */
export function absolute(view: View, path: string): string | null {
  return view.publicUrl === null ? null : `${view.publicUrl}${href(view, path)}`;
}

/** What a server, a player or a schedule is called by others, as one line; never empty. Preact escapes it. */
export function nameOr(text: string | null, otherwise: string): string {
  return clean(text ?? '') || otherwise;
}
