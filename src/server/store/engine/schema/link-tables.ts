export interface LinkTables {
  player_link: PlayerLinkTable;
  link_challenge: LinkChallengeTable;
  link_progress: LinkProgressTable;
}

/** Which player a member of Discord is: one member, one player of the project, and the other way round. */
interface PlayerLinkTable {
  project_id: string;
  /** Discord id. */
  member_id: string;
  player_id: number;
  /** 0: the member only says so. */
  proven: number;
  linked_at: number;
}

/** The gestures that a member shall make in the game to prove a link. */
interface LinkChallengeTable {
  project_id: string;
  /** Discord id. */
  member_id: string;
  /** The Discord server where the member drew them. */
  guild_id: string;
  /** JSON array of the game's names, in order. NULL: it is over. */
  gestures: string | null;
  /** When the member drew them, which decides when the member may draw again. */
  started_at: number;
  /** Gestures that are made later do not count. Those made before may be read later. */
  ends_at: number;
  /** How often the member has drawn gestures, with less than a day between. */
  drawn: number;
}

/** How many of a challenge's gestures a player has made in order, with no other between. */
interface LinkProgressTable {
  project_id: string;
  member_id: string;
  player_id: number;
  seen: number;
  /** When the player made the first of them. */
  first_at: number;
  /** When the player made the latest gesture that changed this. */
  last_at: number;
}
