/* Hundreds of clauses. @@flags -q */
int n;

BEGIN
/n == 0/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 1/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 2/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 3/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 4/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 5/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 6/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 7/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 8/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 9/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 10/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 11/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 12/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 13/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 14/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 15/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 16/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 17/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 18/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 19/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 20/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 21/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 22/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 23/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 24/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 25/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 26/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 27/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 28/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 29/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 30/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 31/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 32/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 33/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 34/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 35/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 36/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 37/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 38/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 39/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 40/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 41/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 42/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 43/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 44/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 45/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 46/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 47/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 48/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 49/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 50/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 51/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 52/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 53/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 54/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 55/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 56/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 57/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 58/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 59/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 60/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 61/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 62/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 63/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 64/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 65/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 66/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 67/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 68/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 69/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 70/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 71/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 72/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 73/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 74/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 75/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 76/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 77/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 78/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 79/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 80/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 81/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 82/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 83/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 84/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 85/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 86/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 87/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 88/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 89/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 90/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 91/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 92/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 93/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 94/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 95/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 96/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 97/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 98/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 99/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 100/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 101/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 102/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 103/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 104/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 105/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 106/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 107/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 108/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 109/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 110/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 111/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 112/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 113/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 114/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 115/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 116/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 117/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 118/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 119/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 120/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 121/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 122/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 123/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 124/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 125/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 126/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 127/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 128/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 129/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 130/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 131/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 132/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 133/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 134/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 135/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 136/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 137/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 138/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 139/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 140/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 141/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 142/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 143/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 144/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 145/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 146/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 147/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 148/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 149/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 150/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 151/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 152/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 153/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 154/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 155/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 156/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 157/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 158/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 159/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 160/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 161/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 162/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 163/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 164/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 165/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 166/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 167/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 168/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 169/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 170/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 171/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 172/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 173/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 174/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 175/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 176/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 177/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 178/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 179/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 180/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 181/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 182/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 183/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 184/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 185/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 186/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 187/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 188/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 189/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 190/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 191/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 192/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 193/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 194/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 195/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 196/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 197/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 198/
{
	n++;
	@[n & 3] = count();
}

BEGIN
/n == 199/
{
	n++;
	@[n & 3] = count();
}

BEGIN
{
	printf("%d", n);
	printa(" %d:%@d", @);
	exit(0);
}
