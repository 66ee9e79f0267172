// Files that the build puts into the script as text.
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.yaml" {
  const text: string;
  export default text;
}
