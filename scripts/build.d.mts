export const root: string;
export function build(options?: { types?: boolean }): boolean;
