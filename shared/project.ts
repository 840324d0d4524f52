// Where Rainbell is developed; package.json's `homepage` is the same address.

export const projectPage = 'https://github.com/rainbell/rainbell';
