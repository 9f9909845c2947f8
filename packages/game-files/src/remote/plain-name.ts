/** Whether the name of a listed file is only a name; a hostile server could send a path. */
export function isPlainName(name: string): boolean {
  return name.length > 0 && name.length <= 255 && name !== '.' && name !== '..' && !/[/\\\p{Cc}]/u.test(name);
}
