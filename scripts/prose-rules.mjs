// The rules of the prose check: phrases that sound foreign or old-fashioned, and words for which the product has another term.
// A rule is here only if it is right in at least nine of ten hits; test/architecture/prose.test.ts has an example and a
// counterexample of each.

/**
 * @typedef {'screen' | 'document' | 'comment' | 'test name'} Kind `screen` is every string that someone may read.
 * @typedef {object} ProseRule
 * @property {RegExp} find
 * @property {string} instead what to write, different for each rule
 * @property {readonly Kind[]} [kinds] every kind if left out
 */

/** @type {readonly Kind[]} */
const published = ['screen', 'document'];

/** @type {readonly ProseRule[]} */
export const proseRules = [
  // Phrases.
  {
    find: /(?<!\b(?:there|since) )\b(?:is|are|was|were|be|been) no (?!longer\b|more\b|later\b|less\b|fewer\b|one\b|such\b)[a-z]/i,
    instead: 'is not a …',
  },
  { find: /\banew\b/i, instead: 'again' },
  {
    find: /\b(?:somebody|everybody|anybody|whoever|whom)\b|(?<!’|')\bnobody\b(?!’|')/i,
    instead: 'someone, everyone, anyone, no one, or the actor’s name',
  },
  { find: /\bbegun\b/i, instead: 'started' },
  {
    find: /\bby (?:itself|themselves|himself)\b/i,
    instead: 'automatically, or leave it out',
  },
  {
    find: /\b(?:shall|hence|thence|whence|lest|thereof|therein|thereby|wherein|whilst|amongst|ought|forthwith)\b/i,
    instead: 'must, so, so that, which, while, among, should, now',
  },
  {
    find: /\b(?:mend(?:s|ed|ing)?|spoil(?:s|t|ed|ing)?|heed(?:s|ed|ing)?|obeys?|obeyed)\b/i,
    instead: 'fix, break, follow',
  },
  {
    find: /\bneed not\b(?! only)/i,
    instead: 'don’t have to',
  },
  {
    find: /\b(?:for|after|in) so (?:long|many|much)\b/,
    instead: 'how long, how many, or the limit',
  },
  {
    find: /\bof (?:yours|ours|theirs|mine)\b/i,
    instead: 'your …, our …',
  },
  {
    find: /\bof (?:its|their|our|your|one[’']s|my|[A-Z]\w+[’']s) own(?=$| *[.,:;)(]| +(?:in|on|and|or|beside|per|for|with|that|which|because|so|as|instead|of|from|by|while)\b)/,
    instead: 'its own …, separate',
    kinds: published,
  },
  {
    find: /\b(?:is|are|was|were|be|been|being) told\b(?! (?:apart|to)\b)|\btells? (?:of|nothing|its|whether|when)\b/i,
    instead: 'is shown, reports, returns',
  },
  {
    find: /(?<!\b(?:as (?:it|they)) )\b(?:stands?|stood) (?:in|on|at|beside|behind|before|there|here|as|above|below|between)\b/i,
    instead: 'is, appears',
  },
  {
    find: /\b(?:[Nn]ull|[Uu]ndefined|[Ee]mpty|[Aa]bsent|[Nn]othing|[Ff]alse|[Tt]rue|[Zz]ero) where\b|\b[Ww]here (?:none|nobody|no one|there (?:is|are))\b/,
    instead: 'if',
  },
  {
    find: /\b(?:not|nothing|none|nor)\b[^.;,]{0,30}\bany more\b|\bcounts? no more\b/i,
    instead: 'no longer',
  },
  {
    find: /[,;] (?:or |and )?else(?: the| a| an| it| they| its| none| nothing)\b|^Else\b/,
    instead: 'otherwise',
  },
  {
    find: /\b(?:but|save) for (?:the|those|that|its|a|an|one|what)\b|\botherwise than\b/i,
    instead: 'except, differently from',
  },
  {
    find: /\b(?:a|the|each|no|which|without a) person(?:[’']s)?\b/i,
    instead: 'user, someone',
  },
  {
    find: /\bmade[ -]up\b/i,
    instead: 'simulated, sample',
    kinds: ['screen'],
  },
  {
    find: /\b(?:all the same|as it were|now and then|at all events|by and by)\b/i,
    instead: 'still, sometimes, or leave it out',
  },
  {
    find: /\b(?:can(?:not)?|could(?: not)?|can[’']t|to|may) be had\b|\b(?:is|are|was|were) to be had\b/i,
    instead: 'is available',
  },
  {
    find: /, since (?!when\b|then\b)[a-z`]/,
    instead: 'because',
  },
  {
    find: /, also (?:if|when|while|after|before)\b/,
    instead: 'even if, even when',
  },
  // Spelling.
  {
    find: /\b(?:licen[c]es?|colou?red? scheme[s]|colours?|coloured|behaviours?|favourites?|cancell(?:ed|ing)|centre[ds]?|neighbour(?:s|ing)?|catalogues?|honour(?:s|ed)?|(?:recogn|organ|normal|serial|initial|author|summar|minim|maxim|optim|synchron|custom|real)is(?:e[sd]?|ing|ation))\b/i,
    instead: 'US spelling: license, color, behavior, canceled, center, -ize',
  },
  // Terms.
  {
    find: /\bClient ids?\b|(?<=\S )client ids?\b|\bthe id (?:of|is|was)\b/,
    instead: 'client ID, ID',
    kinds: published,
  },
  {
    find: /\b(?:base|redirect|callback) address(?:es)?\b|\bhttps?(?::\/\/)? address\b|\b(?:full|whole|complete) address(?:es)?\b/i,
    instead: 'URL',
    kinds: published,
  },
  {
    find: /\b(?:the|an|its|his|no|this|last|first|each|every|one|dialog[’']s|service[’']s|whole) answers?\b(?! (?:with|to (?:the|a|this) question)\b)/i,
    instead: 'response',
    kinds: published,
  },
  {
    find: /\bauthoriz?s?ation dialogs?\b|\b(?:code|state|scope) of the dialog\b|\bdialog[’']s (?:answer|response|code)\b/i,
    instead: 'sign-in page',
    kinds: published,
  },
  {
    find: /\b(?:an?|in|like|its|of|the|these|those) instants?\b(?! (?:of\b|re))/i,
    instead: 'time',
    kinds: published,
  },
  {
    find: /\b(?:token|it|sign-in)s? (?:is|was|were|are|be|can be|cannot be|being|gets?)? ?renew(?:s|ed|al)?\b|\brenew(?:s|ed|ing)? (?:its|the|a|your|this|their) (?:\w+ )?token/i,
    instead: 'refresh',
    kinds: published,
  },
  {
    find: /\b(?:an|the|this|each|more|all|no|choose an|of) exchanges?\b(?! (?:the|a|code|it|them)\b)/i,
    instead: 'request',
    kinds: published,
  },
  {
    find: /\b(?:a|unknown|own) fault of\b|\bunknown fault\b|\bfault of Rainbell\b/i,
    instead: 'error, bug',
    kinds: published,
  },
  {
    find: /\b(?:the|this) screens? [“"*]*(?:Access|Forecast|Compare|Map|Monitors|Callbacks|Traffic|Sandbox|Settings|Connections|Rules)\b/,
    instead: 'the … screen',
  },
  {
    find: /\b(?:kept|stored|shown|saved|leaves?|sent|written|in the|exported) in (?:the )?clear\b/i,
    instead: 'in plain text',
  },
  {
    find: /\b(?:the|no|without a|over the) net\b(?!work)/i,
    instead: 'network, internet',
  },
  {
    find: /\b(?:please|sorry)\b/i,
    instead: 'leave it out',
    kinds: published,
  },
  {
    find: /\b(?:utilize[sd]?|utilizing|in order to|prior to)\b/i,
    instead: 'use, to, before',
  },
];
