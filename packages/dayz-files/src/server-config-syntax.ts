/** A setting of a `serverDZ.cfg`. `value` is null for an array, or when it cannot be read. */
export interface Assignment {
  /** Classes around it, outermost first, lower case: `['missions', 'dayz']`. */
  classes: readonly string[];
  /** Lower case: the game does not distinguish. */
  key: string;
  value: string | null;
  line: number;
}

/** Never quotes the file's text: it may be a password. */
export interface SyntaxProblem {
  line: number;
  problem: string;
}

const maxDepth = 32;
const maxListLength = 64 * 1024;
/** A file with more is none of the game's; reading stops there. */
export const maxProblems = 50;

/**
 * Reads the syntax of the game's config files: `key = value;`, `key[] = { … };`, `class Name { … };`, comments.
 * A line that cannot be read is a problem; reading continues on the next one.
 */
export function readSyntax(text: string): { assignments: Assignment[]; problems: SyntaxProblem[] } {
  return new SyntaxReader(text).read();
}

class SyntaxReader {
  readonly #text: string;
  readonly #assignments: Assignment[] = [];
  readonly #problems: SyntaxProblem[] = [];
  readonly #classes: { name: string; line: number }[] = [];
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  read(): { assignments: Assignment[]; problems: SyntaxProblem[] } {
    for (this.#skipBlank(); this.#at < this.#text.length; this.#skipBlank()) {
      if (this.#problems.length >= maxProblems) break;
      this.#readStatement();
    }
    for (const { name, line } of this.#classes) {
      this.#report(line, `class ${name} is not closed: a line with }; is missing`);
    }
    return {
      assignments: this.#assignments,
      problems: this.#problems.toSorted((a, b) => a.line - b.line),
    };
  }

  #readStatement(): void {
    const line = this.#line;
    if (this.#take(/;/y) !== null) return;
    if (this.#take(/\}/y) !== null) {
      if (this.#classes.pop() === undefined) this.#report(line, 'a } closes nothing');
      this.#skipBlank();
      this.#take(/;/y);
      return;
    }
    const word = this.#take(/[A-Za-z_]\w*/y);
    if (word === null) return this.#skipLine(line, 'expected a setting, such as maxPlayers = 60;');
    if (word.toLowerCase() === 'class') this.#readClass(line);
    else this.#readSetting(word, line);
  }

  #readClass(line: number): void {
    this.#skipBlank();
    const name = this.#take(/[A-Za-z_]\w*/y);
    if (name === null) return this.#skipLine(line, 'expected a name after class');
    this.#skipBlank();
    if (this.#take(/:\s*[A-Za-z_]\w*/y) !== null) this.#skipBlank();
    if (this.#take(/\{/y) === null) {
      if (this.#take(/;/y) === null) this.#skipLine(line, `expected { after class ${name}`);
      return;
    }
    if (this.#classes.length >= maxDepth) return this.#report(line, `expected at most ${maxDepth} classes`);
    this.#classes.push({ name: shortName(name), line });
  }

  #readSetting(word: string, line: number): void {
    const isArray = this.#take(/[^\S\n]*\[[^\S\n]*\]/y) !== null;
    this.#take(/[^\S\n]*/y);
    if (this.#take(/\+?=/y) === null) {
      return this.#skipLine(line, `expected = after ${shortName(word)}`);
    }
    this.#take(/[^\S\n]*/y);
    const value = isArray ? this.#readArray(word, line) : this.#readValue(word, line);
    this.#assignments.push({
      classes: this.#classes.map(({ name }) => name.toLowerCase()),
      key: word.toLowerCase(),
      value,
      line,
    });
  }

  /** The value, and the semicolon behind it. */
  #readValue(word: string, line: number): string | null {
    const opening = this.#take(/["']/y);
    if (opening === null) {
      const raw = this.#take(/(?:(?!\/[/*])[^;\n}])*/y)?.trim() ?? '';
      if (raw === '') this.#report(line, `${shortName(word)} has no value`);
      return this.#readEnd(word, line) && raw !== '' ? raw : null;
    }
    // Two quotes inside of a string are one; a backslash has no meaning of its own.
    const inside = this.#take(opening === '"' ? /(?:[^"\n]|"")*/y : /(?:[^'\n]|'')*/y) ?? '';
    if (this.#take(/["']/y) === null) {
      this.#skipLine(line, `the text of ${shortName(word)} is not closed: a ${opening} is missing`);
      return null;
    }
    return this.#readEnd(word, line) ? inside.replaceAll(opening + opening, opening) : null;
  }

  #readArray(word: string, line: number): null {
    const start = this.#at;
    const startLine = this.#line;
    this.#skipBlank();
    let depth = 0;
    do {
      const part = this.#take(/\{|\}|"(?:[^"\n]|"")*"|[^"{}/\s]+|[^"{}]/y);
      if (part === null || this.#at - start > maxListLength) break;
      depth += part === '{' ? 1 : part === '}' ? -1 : 0;
      this.#skipBlank();
    } while (depth > 0);
    if (depth === 0) {
      this.#readEnd(word, line);
      return null;
    }
    // Read on behind its first line, so that the settings below are not lost.
    [this.#at, this.#line] = [start, startLine];
    this.#skipLine(line, `the list of ${shortName(word)} is not closed: a } or " is missing`);
    return null;
  }

  /** Whether the value ends here: a semicolon may be missing at the end of a line. */
  #readEnd(word: string, line: number): boolean {
    this.#take(/[^\S\n]*/y);
    const endLine = this.#line;
    this.#skipBlank();
    if (this.#take(/;/y) !== null) return true;
    if (this.#line > endLine || this.#at >= this.#text.length || this.#text[this.#at] === '}') {
      this.#report(line, `a ; is missing after the value of ${shortName(word)}`);
      return true;
    }
    this.#skipLine(line, `expected ; after the value of ${shortName(word)}`);
    return false;
  }

  /** Skips blanks and comments. */
  #skipBlank(): void {
    for (;;) {
      this.#take(/\s*/y);
      if (this.#take(/\/\/[^\n]*|\/\*[\s\S]*?\*\//y) !== null) continue;
      if (!this.#text.startsWith('/*', this.#at)) return;
      this.#report(this.#line, 'a comment is not closed: */ is missing');
      this.#at = this.#text.length;
    }
  }

  #skipLine(line: number, problem: string): void {
    this.#report(line, problem);
    this.#take(/[^\n]*/y);
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found === null) return null;
    this.#at += found.length;
    this.#line += found.split('\n').length - 1;
    return found;
  }

  #report(line: number, problem: string): void {
    if (!this.#problems.some((one) => one.line === line)) this.#problems.push({ line, problem });
  }
}

const shortName = (word: string): string => (word.length <= 60 ? word : `${word.slice(0, 60)}…`);
