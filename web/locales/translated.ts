type Plural = "zero" | "one" | "two" | "few" | "many" | "other";
type Counted<Key> = Key extends `${infer Base}_${Plural}` ? Base : never;

/**
 * The shape of a catalogue in another language: keys of the English one, any words. What is missing is said in English,
 * and found by a test. Of a text that counts each language has the plural forms that `Intl.PluralRules` names for it.
 */
export type Translated<English> = {
  [Key in keyof English as Key extends `${string}_${Plural}` ? never : Key]?: English[Key] extends string
    ? string
    : Translated<English[Key]>;
} & { [Key in Counted<keyof English> as `${Key}_${Plural}`]?: string };
