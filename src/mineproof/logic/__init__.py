"""What must be: methods that find certain cells in a `Position`, each with its reasons. They never see a layout."""
