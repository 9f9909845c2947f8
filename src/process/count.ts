/** `12,345` */
export const grouped = (figure: number): string => figure.toLocaleString('en-US');

/** `1 player`, `2 players`: for lines in English, of the log and the command line. */
export const count = (figure: number, thing: string): string =>
  `${grouped(figure)} ${thing}${figure === 1 ? '' : 's'}`;
