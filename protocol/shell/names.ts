/** The name of a method's validator in the generated module. */
export const validatorName = (method: string): string => method.replace('.', '_')
