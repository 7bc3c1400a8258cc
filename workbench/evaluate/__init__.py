"""What each approach to privacy costs in accuracy: experiments on true values. Analyst only."""
