/** The theme of VitePress with the fonts of the reader's system: nothing to fetch, and no flash of another font. */
import theme from 'vitepress/theme-without-fonts';
import './site.css';

export default theme;
