/** A row of Keyv's table: `namespace:key`, and a JSON object with the value and when it expires. */
export interface SmallValueTable {
  key: string;
  value: string;
}
