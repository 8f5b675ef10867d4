/** The theme of VitePress with the colours of Chatferry's own pages and the fonts of the reader's system: nothing to fetch, and no flash of another font. */
import theme from 'vitepress/theme-without-fonts';
import '../../../src/web/tokens.css';
import './site.css';

export default theme;
