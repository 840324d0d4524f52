// Validates input for new and changed accounts. Pure; each function returns the broken rule, or undefined.

/** Controls and invisible marks, such as those that turn the direction of writing. Emoji and some scripts need the two joiners. */
const controls = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Rejects "@", so that a username can never equal an email address at sign-in. */
export function usernameProblem(username: string): string | undefined {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{2,39}$/.test(username)) return undefined;
  return 'A username must have 3 to 40 letters, digits, dots, dashes, or underscores, and start with a letter or digit.';
}

export function emailProblem(email: string): string | undefined {
  const form =
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;
  if (email.length <= 254 && form.test(email)) return undefined;
  return 'An email address must look like name@example.org and have at most 254 characters.';
}

export function passwordProblem(password: string): string | undefined {
  if (password.length >= 8 && password.length <= 200) return undefined;
  return 'A password must have 8 to 200 characters; a sentence works well.';
}

export function nameProblem(name: string): string | undefined {
  if (name.length <= 80 && !controls.test(name)) return undefined;
  return 'A name must have at most 80 characters, on one line, without control characters.';
}

export const descriptionLimit = 1000;

export function descriptionProblem(description: string): string | undefined {
  if (description.length <= descriptionLimit && !controls.test(description.replaceAll(/[\t\r\n]/g, '')))
    return undefined;
  return `A description must have at most ${descriptionLimit} characters, without control characters.`;
}
