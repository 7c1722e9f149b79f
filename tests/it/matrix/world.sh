# Builds the world that every operation of the matrix starts from, in the current folder. $KIND is `clean` or `dirty`.
set -e
git config --global protocol.file.allow always
git config --global advice.detachedHead false
git config --global core.editor true
# The world is copied: what tells files apart must survive that.
git config --global core.checkStat minimal
git config --global core.trustCtime false
# Nobody takes a fence down meanwhile, so no git needs to wait for that.
git config --global core.filesRefLockTimeout 0
git config --global core.packedRefsTimeout 0

# The library that is a submodule, with a second commit.
git init -q -b main lib-origin
cd lib-origin
echo one >lib.txt
git add lib.txt
git commit -qm 'lib: one'
echo two >lib.txt
git commit -qam 'lib: two'
cd ..

git init -q -b main repo
cd repo
mkdir dir dir2
for name in a b c s; do printf '%s 1\n%s 2\n%s 3\n' $name $name $name >$name.txt; done
echo deep >dir/d.txt
echo deep >dir2/e.txt
printf '#!/bin/sh\necho run\n' >run.sh
chmod 755 run.sh
ln -s a.txt link
git submodule --quiet add ../lib-origin lib
git add .
git commit -qm one
git tag v1
echo changed >b.txt
git commit -qam two
git branch ren

# `other` leaves main here.
git switch -q -c other
printf 'c 1\nc 2\nc other\n' >c.txt
echo new >o.txt
git add .
git commit -qm other
git format-patch -q -1 --stdout >../other.patch
git diff HEAD~1 >../other.diff
git switch -q main
echo last >last.txt
git add .
git commit -qm three

# `side` is one ahead of main.
git switch -q -c side
echo side >side.txt
git add .
git commit -qm side
git switch -q main

# A remote that is ahead of what is known of it: a commit on main, and a branch that left it earlier.
git init -q --bare -b main ../up.git
git remote add origin ../up.git
git push -q origin main v1
git branch -q --set-upstream-to=origin/main main
git clone -q ../up.git ../far
cd ../far
echo far >far.txt
git add far.txt
git commit -qm far
git push -q origin main
git switch -q -c aside HEAD~2
echo aside >aside.txt
git add aside.txt
git commit -qm aside
git push -q origin aside
git tag far-away
cd ../repo

# Two stashes.
printf 's 1\ns 2\ns stashed\n' >s.txt
git stash push -q -m first
printf 's 1\ns 2\ns again\n' >s.txt
git stash push -q -m second

if [ "$KIND" = dirty ]; then
    echo edited >>a.txt
    chmod 755 c.txt
    echo staged >>s.txt
    git add s.txt
    echo untracked >untracked.txt
    git -C lib checkout -q HEAD~1
fi
