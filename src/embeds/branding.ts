import type { APIEmbed } from 'discord-api-types/v10';
import type { Project, Support } from '../api/resources.ts';

/** The appearance of a project's embeds. */
export interface Branding {
  name: string;
  /** The link of the name: the support page or Discord. */
  url: string | null;
  logoUrl: string | null;
  bannerUrl: string | null;
  /** 0xRRGGBB, for embeds whose colour shows no state; null: the bot's own. */
  accentColor: number | null;
}

export const colours = {
  online: 0x2ecc71,
  partly: 0xf1a33c,
  offline: 0xe74c3c,
  unknown: 0x95a5a6,
  warning: 0xf1c40f,
  accent: 0x5865f2,
  gold: 0xf5b942,
} as const;

export function brandingOf(answer: { project: Project; support: Support }): Branding {
  const { project, support } = answer;
  return {
    name: support.title ?? project.name,
    url: project.supportUrl ?? support.discordUrl,
    logoUrl: support.logoUrl,
    bannerUrl: support.bannerUrl,
    accentColor: support.accentColor === null ? null : Number.parseInt(support.accentColor.slice(1), 16),
  };
}

/** An embed in the project's colour, unless its own shows a state. @param otherwise where the project has none */
export function coloured(
  branding: Branding | null,
  embed: APIEmbed,
  otherwise: number = colours.accent,
): APIEmbed {
  return { color: branding?.accentColor ?? otherwise, ...embed };
}

/** The same, below the project's name and logo. `fit` leaves out addresses that are empty. */
export function branded(branding: Branding | null, embed: APIEmbed, otherwise?: number): APIEmbed {
  const shown = coloured(branding, embed, otherwise);
  if (branding === null) return shown;
  const { name, url, logoUrl } = branding;
  return { author: { name, url: url ?? '', icon_url: logoUrl ?? '' }, ...shown };
}

/** The project's banner as the image of an embed. */
export function bannerOf(branding: Branding | null): Pick<APIEmbed, 'image'> {
  return branding === null || branding.bannerUrl === null ? {} : { image: { url: branding.bannerUrl } };
}
