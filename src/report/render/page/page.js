/*
 * The script of the report: sorts tables by a column and hides rows that do not hold a word. It makes its own buttons and
 * fields, so that there is nothing dead on the page where scripts are off. Its hash stands in the page's content security
 * policy. A script element ends at the first slash behind a "less than": there is none in here.
 */
(() => {
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const rowsMin = 6;
  const textOf = (row, column) => row.cells[column].textContent.trim();

  /* A share such as "0.1%" or a count such as "1,234"; what is no number comes last. */
  const numberOf = (text) => {
    const number = Number.parseFloat(text.replace(/[^0-9.]/g, ''));
    return Number.isNaN(number) ? -1 : number;
  };

  const sortBy = (table, column, isNumber, isDescending) => {
    const body = table.tBodies[0];
    const keyOf = isNumber ? (row) => numberOf(textOf(row, column)) : (row) => textOf(row, column);
    const compare = isNumber ? (a, b) => a - b : collator.compare;
    const keyed = Array.from(body.rows, (row) => ({ row, key: keyOf(row) }));
    keyed.sort((a, b) => (isDescending ? compare(b.key, a.key) : compare(a.key, b.key)));
    body.append(...keyed.map(({ row }) => row));
  };

  const makeSortable = (table) => {
    const headings = Array.from(table.tHead.rows[0].cells);
    for (const [column, heading] of headings.entries()) {
      if (heading.classList.contains('of-bar')) continue;
      const isNumber = heading.classList.contains('of-number');
      const button = document.createElement('button');
      button.type = 'button';
      const name = document.createElement('span');
      button.textContent = heading.textContent;
      name.textContent = heading.textContent;
      name.className = 'unsorted';
      /* Stacked cells leave nothing to click on, and screen readers still want the name of the column. */
      heading.replaceChildren(button, ...(table.classList.contains('stack') ? [name] : []));
      button.addEventListener('click', () => {
        const before = heading.getAttribute('aria-sort');
        const isDescending = before === null ? isNumber : before === 'ascending';
        for (const other of headings) other.removeAttribute('aria-sort');
        heading.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
        sortBy(table, column, isNumber, isDescending);
      });
    }
  };

  /* Rows of a table, or entries of a list. */
  const makeFilter = (list) => {
    const entries = Array.from(list.tBodies ? list.tBodies[0].rows : list.children);
    if (rowsMin > entries.length) return;
    const label = document.createElement('label');
    const field = document.createElement('input');
    const told = document.createElement('output');
    field.type = 'search';
    label.className = 'filter';
    label.append(`${list.dataset.filter} `, field, ' ', told);
    const texts = entries.map((entry) => entry.textContent.toLowerCase());
    field.addEventListener('input', () => {
      const words = field.value.toLowerCase().split(/\s+/);
      let shown = 0;
      for (const [index, entry] of entries.entries()) {
        entry.hidden = !words.every((word) => texts[index].includes(word));
        if (!entry.hidden) shown += 1;
      }
      told.textContent = field.value.trim() === '' ? '' : `${shown} of ${entries.length}`;
    });
    (list.closest('.scroll') || list).before(label);
  };

  for (const table of document.querySelectorAll('table.sortable')) {
    if (table.tBodies[0].rows.length > 2) makeSortable(table);
  }
  for (const list of document.querySelectorAll('[data-filter]')) makeFilter(list);
  /* On paper everything is shown: a fold cannot be opened there. */
  const opened = [];
  addEventListener('beforeprint', () => {
    for (const fold of document.querySelectorAll('.groups details:not([open])')) {
      fold.open = true;
      opened.push(fold);
    }
  });
  addEventListener('afterprint', () => {
    for (const fold of opened.splice(0)) fold.open = false;
  });
})();
