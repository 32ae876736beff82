/** A script was to be compiled before the compilers were loaded. */
export class CompilersNotLoadedError extends Error {}
