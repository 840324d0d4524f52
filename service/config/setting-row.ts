// One setting of the service, as a row of a table; a provider brings rows of its own (weather/providers).
import { z } from 'zod';

export type SettingRow = {
  /** Command-line flag without the dashes; settings without one come from the environment only. */
  flag?: string;
  /** The flag has no value: it sets `on`. */
  isSwitch?: true;
  environment: string;
  schema: z.ZodType<unknown, string | undefined>;
  default?: string;
  /** Hides the value, and lets a file hold it, named by a variable that ends with `_FILE`. */
  isSecret?: true;
  unit: string;
  meaning: string;
};

export type SettingValues<Rows extends Readonly<Record<string, SettingRow>>> = {
  readonly [Name in keyof Rows]: z.output<Rows[Name]['schema']>;
};

export const text = z.string().min(1, 'must not be empty');
export const optionalText = text.optional();
export const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((address) => address.replace(/\/+$/, ''));
