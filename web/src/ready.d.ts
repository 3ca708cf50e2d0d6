/** Both pages say when they can be used, for programs that look at them. */
interface Window {
  __ready?: boolean;
}
