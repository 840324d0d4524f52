// Where Rainbell is developed; package.json's `homepage` is the same address.

export const projectPage = 'https://github.com/rainbell/rainbell';

/** The version of package.json, for code that also runs bundled. */
export const productVersion = '0.1.0';
