import { PermissionFlagsBits as permission } from 'discord-api-types/v10';
import { memberPermissions } from '../state/permissions.ts';

/** Somebody as whom a visitor of the page can act. */
export interface Persona {
  id: string;
  username: string;
  displayName: string;
  /** What the page writes beside the name, for example `Moderator`. */
  role: string;
  /** Colour of the name, `#rrggbb`. */
  color?: string;
  permissions: bigint;
}

/** A text that the page's side panel shows: with a button to copy it if `copyable`, else as a link if it is an address. */
export interface Notice {
  label: string;
  text: string;
  copyable?: boolean;
}

export interface PageOptions {
  title?: string;
  /** A sentence under the title of the side panel. */
  introduction?: string;
  notices?: readonly Notice[];
  /** Default: a member, and a moderator who may ban. */
  personas?: readonly Persona[];
}

export const defaultPersonas: readonly Persona[] = [
  {
    id: '1100000000000000301',
    username: 'mira',
    displayName: 'Mira',
    role: 'Member',
    permissions: memberPermissions,
  },
  {
    id: '1100000000000000302',
    username: 'aksel',
    displayName: 'Aksel',
    role: 'Moderator',
    color: '#3ba55d',
    permissions: memberPermissions | permission.BanMembers | permission.ManageMessages,
  },
  {
    id: '1100000000000000303',
    username: 'ines',
    displayName: 'Ines',
    role: 'Administrator',
    color: '#e67e22',
    permissions: memberPermissions | permission.Administrator,
  },
];
